/* The heights of the strips in which kernels by rows compute tiles. With a map of tiles the number of tiles that a step
 * computes changes: many tiles are computed fastest in high strips, which read few rows twice, few tiles in low ones, of
 * which there are enough for all multiprocessors. The first strips of all tiles begin first; where each next one of a
 * tile is lower, a launch ends with low strips, and soon after the first multiprocessor has nothing left to do. Any
 * height gives the same bits, and a launch may take another one than the launch before: records have room for the most. */
#ifndef SHOAL_SIM_STRIPS_H
#define SHOAL_SIM_STRIPS_H

#include "core/sim/sim.h"
#include "kernels/tiling.h"

/* Sets the strips of a kernel that computes by tiles: their rows now, and their number at most. */
void strips_tell(const struct sim *s, const struct sim_kernel *k, struct tiling *t);

/* How many strips a tile of so many rows has now. */
int strips_up(const struct tiling *t, int rows);

/* Chooses anew, if a GPU computes the sim, for the tiles that the last pass computed; a part keeps what it begins with. Waits
 * for the device. */
enum err strips_choose(struct sim *s);

/* The best way to cut so many blocks of `rows` rows into 1 to STRIP_PARTS strips, on a device with places for so many
 * warps at once. */
enum { STRIP_PARTS = 6 };
struct strip_choice strips_best(long blocks, int rows, long places);

#endif
