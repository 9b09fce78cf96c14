/* What the files of sparse domains share. Private to them. */
#ifndef SHOAL_SPARSE_PARTS_H
#define SHOAL_SPARSE_PARTS_H

#include "core/sim/sparse.h"

struct sparse {
    struct forest forest;
    unsigned char *wet, *pinned; /* of each tile: sparse_begins; always stored */
    unsigned char *looked_at;    /* it is at rest, but neither as at the start nor dry */
    bits *rest;                  /* the pattern of its largest wave speed while it is absent */
    void **
        saved; /* what observers have found in an absent tile, one of their arrays behind the other; null: nothing yet */
    counter absent[CONSERVED][VOLUME_COUNTERS];
    struct tile_totals *totals; /* on the device */
    char *room;                 /* for a slot */
    struct initial *cut; /* the initial state of the tile that was asked for last; null: none was */
    int cut_tile;
    long halts, made; /* as in struct sparse_report */
    double seconds;
};

/* Cells of a tile. */
size_t sparse_cells_of(const struct sim *s, int tile);

/* The cells that a state's array, or an observer's, has in an absent tile of such a state. */
enum err sparse_begun(const struct sim *s, const struct array *a, int tile, enum tile_state state,
                      void *to);

/* The cells of a stored tile, rows without gaps. */
enum err sparse_read(struct sim *s, const struct array *a, int tile, void *to);

/* Gives tiles slots, and these their content; the pools grow where they must. `n` tiles. */
enum err sparse_store(struct sim *s, const int *tile, int n);

/* Takes them away from tiles, which are from now on as `state` says. */
enum err sparse_drop(struct sim *s, const int *tile, const enum tile_state *state, int n);

/* How many slots there may be: --tiles-most. */
int sparse_most(const struct sim *s);

#endif
