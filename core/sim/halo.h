/* Where a part's step meets the other parts. None does anything if the domain is undivided. */
#ifndef SHOAL_HALO_H
#define SHOAL_HALO_H

#include "core/sim/sim.h"

/* Fills the ghost cells of a state that lie in other parts, after these have filled their ghost
 * cells outside the domain. */
enum err sim_exchange(struct sim *s, int state, enum view v);

/* The same by the next launch of the kernel that fills ghost cells, in these first threads of it, whose number is
 * returned; 0: it cannot. */
int halo_meet(struct sim *s, int state);

/* The next substep, which makes this state, also sends what neighbours need of it, if it can. What they have not taken
 * in when steps begin again is void: the state may have been changed. */
void halo_send_early(struct sim *s, int state);
enum err halo_begin(struct sim *s);

/* For a time step chosen from so many blocks' wave speeds: makes all parts choose by the largest of
 * all parts. */
enum err sim_fastest(struct sim *s, int *blocks, const bits **block_speed);

/* Broadcasts the first part's choice to all. */
enum err sim_agree(struct sim *s, int *flag);

#endif
