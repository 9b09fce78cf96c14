/* Sparse domains (--domain sparse): only tiles in which something may change are stored, and those beside them. An absent
 * tile is as at the start, or dry, and nothing near it moves. Where a step would have to compute such a one the clock halts
 * on the device, before anything is computed; the host makes the tile, and the run goes on. So it makes the steps of a full
 * run, to the bit: when a tile is made changes nothing.
 *
 * Tiles are made of the initial state, which is sampled then. Without --domain sparse all tiles are stored: these functions
 * then do nothing, or what is done there. */
#ifndef SHOAL_SIM_SPARSE_H
#define SHOAL_SIM_SPARSE_H

#include "core/mesh/forest.h"
#include "core/sim/sim.h"
#include "kernels/active_tiles.h"
#include "kernels/volume.h"

/* The run is to be sparse, and can be. */
int sparse_wanted(const struct sim *s);

/* Fails with ERR_USAGE where it is to be and cannot. */
enum err sparse_check(const struct sim *s);

/* Chooses the tiles that the start needs, by the initial state. */
enum err sparse_create(struct sim *s, const struct setup *setup);
void sparse_destroy(struct sim *s);

/* Where the tile has water at the start, as kernels note where something may change; in a full domain that is everywhere. */
bits sparse_begins(const struct sim *s, int tile);

/* Whether the clock stands still because water needs more tiles; stores them, and drops those at rest. */
int sparse_waits(const struct sim *s, double t_pause);
enum err sparse_serve(struct sim *s);

/* Between steps: drops what is at rest. */
enum err sparse_tidy(struct sim *s);

/* What of the water, or another conserved quantity, is in absent tiles: adds it to the total. */
void sparse_count(const struct sim *s, int conserved, counter total[VOLUME_COUNTERS]);

/* The cells of an absent tile, rows without gaps; it is to have those: it is stored if that makes a difference to how it is
 * computed. */
enum err sparse_cells(const struct sim *s, const struct array *a, int tile, void *to);
enum err sparse_put_cells(struct sim *s, const struct array *a, int tile, const void *from);

/* What a run has stored and computed. Waits for the device. */
struct sparse_report {
    int tiles, tiles_most; /* stored now; at most, so far */
    long halts, made;      /* of the clock, for tiles; tiles made then */
    double seconds;        /* that took */
    double cells;          /* stored now */
    double share;          /* of a full domain's updates that were computed; 1 in a full domain */
};
enum err sparse_tell(struct sim *s, struct sparse_report *r);

/* The stored level of a cell of an absent tile. */
double sparse_eta(const struct sim *s, int i, int j);

/* Passes made and cells computed in them; where the device keeps these numbers, null in a full domain. */
enum err sparse_totals(struct sim *s, struct tile_totals *t);
struct tile_totals *sparse_device_totals(struct sim *s);

#endif
