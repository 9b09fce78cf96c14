/* Which tiles of a domain are stored, and in which slots of its pools: topology alone. Tiles are numbered as in tiles.h. */
#ifndef SHOAL_FOREST_H
#define SHOAL_FOREST_H

#include "core/base/err.h"

/* An absent tile is as at the start, or dry. */
enum tile_state { TILE_INITIAL, TILE_DRY, TILE_STORED };

struct forest {
    int tiles, slots, stored, most; /* `most`: stored at once so far */
    int first_free;                 /* no slot before it is free */
    unsigned char *state;           /* of each tile: enum tile_state */
    int *slot;                      /* of each tile; -1: it is absent */
    int *tile;                      /* in each slot; -1: it is free */
};

/* All tiles absent, as at the start, and no slots. */
enum err forest_create(struct forest *f, int tiles);
void forest_destroy(struct forest *f); /* accepts a zeroed one */

/* More slots, behind those that there are. */
enum err forest_grow(struct forest *f, int slots);

/* Gives an absent tile the first free slot, which there must be; returns it. */
int forest_store(struct forest *f, int tile);

/* Frees the slot of a tile that is from now on as `state` says, and returns it. */
int forest_drop(struct forest *f, int tile, enum tile_state state);

#endif
