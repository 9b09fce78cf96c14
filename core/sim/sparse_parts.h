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
    char *room; /* for copies of slots, from the backend's host_alloc */
    size_t room_bytes;
    int no_margin;    /* memory has ended for tiles that were not needed yet */
    long halts, made; /* as in struct sparse_report */
    double seconds;
};

/* Cells of a tile. */
size_t sparse_cells_of(const struct sim *s, int tile);

/* The number of the unknown that a state's array holds; -1: not a state's array. */
int sparse_unknown_of(const struct sim *s, const struct array *a);

/* The number of a dry cell (i, j) of a window. */
double sparse_dry(const struct initial *in, int unknown, int i, int j);

/* Does the array hold an observer's result in each cell? */
int sparse_is_found(const struct sim *s, const struct array *a);

/* Offset of an array among all that observers found in the tile, in bytes; NULL: the size of
 * all. */
size_t sparse_found_at(const struct sim *s, const struct array *a, int tile);

/* An array's slot on the device. */
char *sparse_slot(const struct sim *s, const struct array *a, int slot);

/* Enlarges the room, to so many bytes at least; its content is lost. */
enum err sparse_make_room(struct sim *s, size_t bytes);

/* The cells of a stored tile, rows without gaps. */
enum err sparse_read(struct sim *s, const struct array *a, int tile, void *to);

/* Gives `n` tiles slots, and fills these; enlarges the pools if needed. */
enum err sparse_store(struct sim *s, const int *tile, int n);

/* Gives tiles free slots and fills these; `was` receives their states before, `made` how many of them, in
 * order, are stored: all unless it fails. */
enum err sparse_make(struct sim *s, const int *tile, unsigned char *was, int n, int *made);

/* The states of absent tiles that have the same cells as these stored ones; TILE_STORED: there is no
 * such state. */
enum err sparse_look(struct sim *s, const int *tile, int n, enum tile_state *state);

/* Takes the slots away from tiles, whose states become `state`. */
enum err sparse_drop(struct sim *s, const int *tile, const enum tile_state *state, int n);

/* The largest wave speed of all absent tiles follows those of each kernel's blocks. */
enum err sparse_put_rest(struct sim *s);

/* The largest allowed number of slots: --tiles-most. */
int sparse_most(const struct sim *s);

#endif
