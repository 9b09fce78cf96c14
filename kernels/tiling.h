/* Tiles: the domain's cells in pieces that lie one behind the other, each with its own ghost cells. A kernel
 * over cells that is compiled with TILED computes tile by tile: only tile.h knows where the cells of a block
 * lie. Tile `slot` begins `slot` times `rows` rows behind the first one, in the same columns. */
#ifndef SHOAL_TILING_H
#define SHOAL_TILING_H

struct tile_place {
    int slot;
    int nx, ny; /* its cells; 0: the slot is free */
    int i0, j0; /* its first one in the domain */
    int edges;  /* bits 1 << enum edge: there it ends where the domain does */
};

/* A neighbour of a tile, for each direction 3 (dy + 1) + dx + 1: its cell (i + di, j + dj) lies where the tile has (i, j) as a
 * ghost cell. slot -1: there is none. */
enum { TILE_SIDES = 9 };
struct tile_neighbour {
    int slot, di, dj;
    int around;             /* across a periodic edge */
    int around_x, around_y; /* -1, 1: across the western (southern), the eastern (northern) one */
};

/* A kernel's record of a block in which something may change: MOVES, and the sides of its tile that are at
 * most FARTHEST cells away; or any number beyond these bits: the change may be anywhere. FARTHEST: cells that
 * a step of any scheme depends on in each direction, two for each of at most three substeps. */
enum {
    MOVES = 1,
    MOVES_WEST = 2,
    MOVES_EAST = 4,
    MOVES_SOUTH = 8,
    MOVES_NORTH = 16,
    MOVES_BITS = 5
};
#define FARTHEST 6

/* The part of a list that holds. */
struct list_part {
    int first, count;
};

/* Follows the arguments of such a kernel. */
struct tiling {
    const struct tile_place *place; /* of each slot */
    int rows;                       /* from one slot's to those of the next */
    int across, up;                 /* blocks of a tile, at most */
    int strip, sink; /* rows of a block, and 0; of a kernel by rows see rows_before_strip() */
    const struct tile_neighbour
        *neighbour;            /* [TILE_SIDES] of every slot; null: nothing is stored there */
    real *rim[4], *carried[4]; /* as `rim` of the kernels' own arguments; null: not stored */
    const int *list;           /* slots of the tiles that are computed now; null: all */
    const struct list_part *part;
    bits *
        moved; /* out, a pattern per block: not zero where something may change; null: not recorded */
};

/* The slot of tile k of those that are computed now; -1: they are fewer. */
FN int slot_listed(const struct tiling *t, int k)
{
    if (!t->list)
        return k;
    const struct list_part part = *t->part;
    return k < part.count ? t->list[part.first + k] : -1;
}

/* Strips of a tile, from south to north: each has sink / 8 rows less than the one before. */
FN int rows_before_strip(const struct tiling *t, int k)
{
    return k * t->strip - (k * k * t->sink >> 4);
}

FN int rows_of_strip(const struct tiling *t, int k)
{
    return rows_before_strip(t, k + 1) - rows_before_strip(t, k);
}

#endif
