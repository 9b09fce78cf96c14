/* Early exit in tiles: which of them a step computes. All do nothing where every tile is computed. */
#ifndef SHOAL_SIM_ACTIVE_TILES_H
#define SHOAL_SIM_ACTIVE_TILES_H

#include "core/sim/sim.h"
#include "kernels/active_tiles.h"

/* Decides whether the run's kernels keep a map of tiles in which something may change: --early-exit on, or a sparse domain. */
enum err active_tiles_choose(struct sim *s);

/* The first of a scheme's kernels that does not say what it does with the map; null: all say it, and some keep it. */
const char *active_tiles_stranger(const struct scheme *scheme);

/* The map and the list, on the device; at first something may change everywhere, or where there is water. */
enum err active_tiles_create(struct sim *s);
void active_tiles_destroy(struct sim *s);

/* Enqueues the choice of the tiles that the pass which begins computes. */
enum err active_tiles_begin(struct sim *s);

/* What a kernel of the scheme is told of it. */
void active_tiles_tell(const struct sim *s, const struct sim_kernel *k, struct tiling *t);

/* How many tiles the last pass computed; waits for the device. */
enum err active_tiles_count(struct sim *s, int *count);

/* For sparse domains. The pools have more slots than `before`; something, or nothing, may change in a slot; what is noted of
 * each slot; which tiles a step reaches, but for the map, in the terms of kernels/active_tiles.h. */
enum err active_tiles_grow(struct sim *s, int before);
enum err active_tiles_mark(struct sim *s, int slot);
enum err active_tiles_clear(struct sim *s, int slot);
enum err active_tiles_moved(struct sim *s, bits *moved);
struct active_tiles_args active_tiles_args(const struct sim *s);

/* Kernels over cells, the scheme's or not, compute these tiles alone, until this is called with n = 0. */
enum err active_tiles_only(struct sim *s, const int *slots, int n);

#endif
