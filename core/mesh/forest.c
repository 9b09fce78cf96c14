/* Tiles and their slots. */
#include "core/mesh/forest.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum err forest_create(struct forest *f, int tiles)
{
    *f = (struct forest){.tiles = tiles};
    f->state = calloc((size_t)tiles, sizeof *f->state);
    f->slot = malloc((size_t)tiles * sizeof *f->slot);
    if (!f->state || !f->slot) {
        forest_destroy(f);
        FAIL(MEMORY, "no memory for a table of %d tiles", tiles);
    }
    for (int k = 0; k < tiles; k++)
        f->slot[k] = -1;
    return ERR_OK;
}

void forest_destroy(struct forest *f)
{
    free(f->state);
    free(f->slot);
    free(f->tile);
    memset(f, 0, sizeof *f);
}

enum err forest_grow(struct forest *f, int slots)
{
    int *tile = realloc(f->tile, (size_t)slots * sizeof *tile);
    if (!tile)
        FAIL(MEMORY, "no memory for %d slots of tiles", slots);
    for (int k = f->slots; k < slots; k++)
        tile[k] = -1;
    f->tile = tile;
    f->slots = slots;
    return ERR_OK;
}

int forest_store(struct forest *f, int tile)
{
    int slot = f->first_free;
    while (slot < f->slots && f->tile[slot] >= 0)
        slot++;
    assert(slot < f->slots && f->slot[tile] < 0);
    f->first_free = slot + 1;
    f->tile[slot] = tile;
    f->slot[tile] = slot;
    f->state[tile] = TILE_STORED;
    f->stored++;
    f->most = f->stored > f->most ? f->stored : f->most;
    return slot;
}

int forest_drop(struct forest *f, int tile, enum tile_state state)
{
    const int slot = f->slot[tile];
    assert(slot >= 0 && state != TILE_STORED);
    f->first_free = slot < f->first_free ? slot : f->first_free;
    f->tile[slot] = -1;
    f->slot[tile] = -1;
    f->state[tile] = (unsigned char)state;
    f->stored--;
    return slot;
}
