/* Where a step of a part meets the other parts. All three do nothing where the domain is in one piece. */
#ifndef SHOAL_HALO_H
#define SHOAL_HALO_H

#include "core/sim/sim.h"

/* Fills the ghost cells of a state that lie in other parts, where these have filled theirs that lie outside the
 * domain. */
enum err sim_exchange(struct sim *s, int state, enum view v);

/* For a choice by so many blocks' wave speeds: makes it one by the largest of all parts. */
enum err sim_fastest(struct sim *s, int *blocks, const bits **block_speed);

/* The first part's choice becomes that of all. */
enum err sim_agree(struct sim *s, int *flag);

#endif
