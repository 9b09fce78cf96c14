/* Shared by the files of sparse domains. Private to them. */
#ifndef SHOAL_SPARSE_PARTS_H
#define SHOAL_SPARSE_PARTS_H

#include "core/sim/sparse.h"

struct sparse {
    struct forest forest;
    unsigned char *wet, *pinned; /* for each tile: sparse_begins; always stored */
    unsigned char *looked_at;    /* at rest, but neither as at the start nor dry */
    bits *rest;                  /* bit pattern of its largest wave speed while it is absent */
    void **
        saved; /* what observers have found in an absent tile, one array after the other; null: nothing yet */
    counter absent[CONSERVED][VOLUME_COUNTERS];
    struct tile_totals *totals; /* on the device */
    char *room;                 /* for a slot */
    struct initial *cut;        /* the initial state of the tile requested last; null: none */
    int cut_tile;
    long halts, made; /* as in struct sparse_report */
    double seconds;
};

/* Cells of a tile. */
size_t sparse_cells_of(const struct sim *s, int tile);

/* The cells of a state's or an observer's array in an absent tile of this state. */
enum err sparse_begun(const struct sim *s, const struct array *a, int tile, enum tile_state state,
                      void *to);

/* The cells of a stored tile, rows without gaps. */
enum err sparse_read(struct sim *s, const struct array *a, int tile, void *to);

/* Gives `n` tiles slots, and fills these; enlarges the pools if needed. */
enum err sparse_store(struct sim *s, const int *tile, int n);

/* Takes the slots away from tiles, whose states become `state`. */
enum err sparse_drop(struct sim *s, const int *tile, const enum tile_state *state, int n);

/* The largest allowed number of slots: --tiles-most. */
int sparse_most(const struct sim *s);

#endif
