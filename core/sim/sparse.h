/* Sparse domains (--domain sparse) store only tiles in which something may change, and their
 * neighbours. An absent tile is in its initial state, or dry, and nothing near it moves. If a step
 * would have to compute an absent tile, the clock halts on the device before anything is computed;
 * the host makes the tile, and the run continues. So the steps are those of a full run, to the bit:
 * it does not matter when a tile is made.
 *
 * Tiles are made from the initial state, which is sampled at that time. Without --domain sparse
 * all tiles are stored; these functions then do nothing, or the equivalent. */
#ifndef SHOAL_SIM_SPARSE_H
#define SHOAL_SIM_SPARSE_H

#include "core/mesh/forest.h"
#include "core/sim/sim.h"
#include "kernels/active_tiles.h"
#include "kernels/volume.h"

/* --domain sparse applies to this run, and is possible. */
int sparse_wanted(const struct sim *s);

/* Fails with ERR_USAGE if the run is to be sparse and cannot be. */
enum err sparse_check(const struct sim *s);

/* Chooses the tiles that the initial state needs. */
enum err sparse_create(struct sim *s, const struct setup *setup);
void sparse_destroy(struct sim *s);

/* Once all arrays are known: allocates the host's room for copies of tiles, because page-locking takes as
 * long as some steps. */
enum err sparse_furnish(struct sim *s);

/* Frees what the backend has lent; before the device is closed. */
void sparse_free_room(struct sim *s);

/* Where the tile has water at the start, in the form in which kernels note where something may
 * change; everywhere in a full domain. */
bits sparse_begins(const struct sim *s, int tile);

/* After the clock has halted for tiles: stores them, and drops those at rest. */
enum err sparse_serve(struct sim *s);

/* Between steps: drops tiles at rest. */
enum err sparse_tidy(struct sim *s);

/* Adds the water, or another conserved quantity, in absent tiles to the total. */
void sparse_count(const struct sim *s, int conserved, counter total[VOLUME_COUNTERS]);

/* Reads cells of an absent tile, a window of the domain, rows without gaps: thread safe. Writes all
 * of them: stores the tile if that affects how it is computed. */
enum err sparse_cells(const struct sim *s, const struct array *a, int tile, const struct window *w,
                      void *to);
enum err sparse_put_cells(struct sim *s, const struct array *a, int tile, const void *from);

/* The tiles whose cells a checkpoint must hold, by a state for each: stored; dry, or seen by observers,
 * and absent; as at the start (TILE_INITIAL), with nothing to hold. */
void sparse_held(const struct sim *s, unsigned char *state);

/* What a run of the same division needs besides the state to go on with the same tiles, a bit pattern for each: of an absent one
 * its largest wave speed, of a stored one what kernels have noted of it. Taken after the state, whose table says which is which. */
enum err sparse_note(struct sim *s, bits *notes);
enum err sparse_take_notes(struct sim *s, const bits *notes);

/* Before a checkpoint's state is taken: stores what overlaps the stored tiles of such a table, of this or another division, and
 * drops other tiles, but without notes (null: of another division) none with water. */
enum err sparse_prepare(struct sim *s, const struct tiles *t, const unsigned char *state,
                        const bits *notes);

/* What a run has stored and computed. Waits for the device. */
struct sparse_report {
    int tiles, tiles_most; /* stored now; the largest number so far */
    long halts, made;      /* halts of the clock for tiles; tiles made then */
    double seconds;        /* spent on that */
    double cells;          /* stored now */
    double share;          /* of a full domain's updates that were computed; 1 in a full domain */
};
enum err sparse_tell(struct sim *s, struct sparse_report *r);

/* The stored level of a cell of an absent tile. */
double sparse_eta(const struct sim *s, int i, int j);

#endif
