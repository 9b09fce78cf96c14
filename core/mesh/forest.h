/* Which tiles of a domain are stored, and in which slots of its pools: topology only. Tiles are
 * numbered as in tiles.h. */
#ifndef SHOAL_FOREST_H
#define SHOAL_FOREST_H

#include "core/base/err.h"

/* An absent tile equals its initial state, or is dry. */
enum tile_state { TILE_INITIAL, TILE_DRY, TILE_STORED };

struct forest {
    int tiles, slots, stored, most; /* `most`: the largest number stored at once so far */
    int first_free;                 /* all slots before it are occupied */
    unsigned char *state;           /* of each tile: enum tile_state */
    int *slot;                      /* of each tile; -1: absent */
    int *tile;                      /* in each slot; -1: free */
};

/* All tiles absent, in their initial state, and no slots. */
enum err forest_create(struct forest *f, int tiles);
void forest_destroy(struct forest *f); /* accepts a zeroed one */

/* Adds slots after the existing ones. */
enum err forest_grow(struct forest *f, int slots);

/* Gives an absent tile the first free slot, which must exist; returns it. */
int forest_store(struct forest *f, int tile);

/* Frees the slot of a tile, whose state becomes `state`; returns the slot. */
int forest_drop(struct forest *f, int tile, enum tile_state state);

#endif
