/* Early exit in tiles: which of them a step computes. If every tile is computed all functions do
 * nothing. */
#ifndef SHOAL_SIM_ACTIVE_TILES_H
#define SHOAL_SIM_ACTIVE_TILES_H

#include "core/sim/sim.h"
#include "kernels/active_tiles.h"

/* Decides whether the run's kernels keep a map of tiles that may change: for a sparse domain, for --early-exit on, and for
 * auto where it pays. */
enum err active_tiles_choose(struct sim *s);

/* The first of a scheme's kernels that does not declare what it does with the map; null: all
 * declare it, and some keep it. */
const char *active_tiles_stranger(const struct scheme *scheme);

/* The map and the list, on the device; initially everything may change, or everything with water. */
enum err active_tiles_create(struct sim *s);
void active_tiles_destroy(struct sim *s);

/* Enqueues the choice of the tiles that the next pass computes; behind that pass. With --early-exit auto a full domain's
 * passes compute all tiles where that is faster: timing decides, in cycles of steps. */
enum err active_tiles_begin(struct sim *s);
enum err active_tiles_end(struct sim *s);
int active_tiles_timed(const struct sim *s);

/* Whether kernels note in the map what changes, in the pass under way: not where all tiles are computed anyway. */
int active_tiles_mapping(const struct sim *s);

/* The map's arguments of a kernel of the scheme. */
void active_tiles_tell(const struct sim *s, const struct sim_kernel *k, struct tiling *t);

/* Number of tiles that the last pass computed; of all that are stored if none was made. Waits for the device. */
enum err active_tiles_count(struct sim *s, int *count);

/* The tiles that a step computes if something may change in these slots (in these tiles if
 * `slot_of` is null); with `open` also those that it computes in any case. */
void active_tiles_reach(const struct sim *s, const int *slot_of, const bits *moved, int open,
                        unsigned char *reached);

/* Passes that did not halt and cells computed in them, since the start; 0 where passes are timed. */
enum err active_tiles_totals(struct sim *s, struct tile_totals *t);

/* For sparse domains. Reports that the pools have grown from `before` slots; marks a slot as
 * changing, or not; returns the notes of each slot; makes a new map, from notes of each tile (null:
 * what it begins with); finds the tiles that a step reaches, disregarding the map, in the terms of
 * kernels/active_tiles.h. */
enum err active_tiles_grow(struct sim *s, int before);
enum err active_tiles_mark(struct sim *s, int slot);
enum err active_tiles_clear(struct sim *s, int slot);
enum err active_tiles_moved(struct sim *s, bits *moved);
enum err active_tiles_put_moved(struct sim *s, const bits *moved);
struct active_tiles_args active_tiles_args(const struct sim *s);

/* Restricts kernels over cells, the scheme's or others, to these tiles, until called with n = 0. */
enum err active_tiles_only(struct sim *s, const int *slots, int n);

#endif
