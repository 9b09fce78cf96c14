/* Early exit in tiles: which of them a step computes. All do nothing where every tile is computed. */
#ifndef SHOAL_SIM_ACTIVE_TILES_H
#define SHOAL_SIM_ACTIVE_TILES_H

#include "core/sim/sim.h"
#include "kernels/tiling.h"

/* Decides whether the run's kernels keep a map of tiles in which something may change: --early-exit on. */
enum err active_tiles_choose(struct sim *s);

/* The map and the list, on the device; at first something may change everywhere. */
enum err active_tiles_create(struct sim *s);
void active_tiles_destroy(struct sim *s);

/* Enqueues the choice of the tiles that the pass which begins computes. */
enum err active_tiles_begin(struct sim *s);

/* What a kernel of the scheme is told of it. */
void active_tiles_tell(const struct sim *s, const struct sim_kernel *k, struct tiling *t);

/* How many tiles the last pass computed; waits for the device. */
enum err active_tiles_count(struct sim *s, int *count);

#endif
