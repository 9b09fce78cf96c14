/* The height of the strips in which kernels by rows compute tiles. With a map of tiles the number of tiles that a
 * step computes changes: many tiles are computed fastest in high strips, which read few rows twice, few tiles in low
 * ones, of which there are enough for all multiprocessors. Any height gives the same bits, and a launch may take
 * another one than the launch before: records have room for the lowest. */
#ifndef SHOAL_SIM_STRIPS_H
#define SHOAL_SIM_STRIPS_H

#include "core/sim/sim.h"
#include "kernels/tiling.h"

/* Sets the strips of a kernel that computes by tiles: their rows now, and their number at most. */
void strips_tell(const struct sim *s, const struct sim_kernel *k, struct tiling *t);

/* Chooses anew, if a GPU computes the sim, for the tiles stored now. */
enum err strips_choose(struct sim *s);

/* The best of 1 to STRIP_PARTS parts of a block of `rows` rows, for that many such blocks on a device with places for so
 * many warps at once. */
enum { STRIP_PARTS = 3 };
int strips_parts(long blocks, int rows, long places);

#endif
