/* Where a part's step meets the other parts. All three do nothing if the domain is undivided. */
#ifndef SHOAL_HALO_H
#define SHOAL_HALO_H

#include "core/sim/sim.h"

/* Fills the ghost cells of a state that lie in other parts, after these have filled their ghost
 * cells outside the domain. */
enum err sim_exchange(struct sim *s, int state, enum view v);

/* For a time step chosen from so many blocks' wave speeds: makes all parts choose by the largest of
 * all parts. */
enum err sim_fastest(struct sim *s, int *blocks, const bits **block_speed);

/* Broadcasts the first part's choice to all. */
enum err sim_agree(struct sim *s, int *flag);

#endif
