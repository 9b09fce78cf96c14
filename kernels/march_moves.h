/* What fused.cu and hancock.cu record of the cells that may change, in tiles with a map of these: near which
 * sides of the tile they lie (tiling.h). A march has `moved`, these bits for the thread's columns. */
#ifndef SHOAL_MARCH_MOVES_H
#define SHOAL_MARCH_MOVES_H

#include "num/moves.h"

/* The column is one of the block's cells. */
#define IS_INNER(m) ((COLUMN >= HALO) & (COLUMN < HALO + (m)->w))

/* Of a change in column k, and in row k, of the n of a tile. */
#define MOVES_AT_COLUMN(k, n) \
    (MOVES | ((k) < FARTHEST ? MOVES_WEST : 0) | ((k) >= (n)-FARTHEST ? MOVES_EAST : 0))
#define MOVES_AT_ROW(k, n) \
    (((k) < FARTHEST ? MOVES_SOUTH : 0) | ((k) >= (n)-FARTHEST ? MOVES_NORTH : 0))

/* Stores those of the whole block. */
#define STORE_MOVES(m)                                                \
    do {                                                              \
        int sides = 0;                                                \
        for (int bit = 0; bit < MOVES_BITS; bit++)                    \
            sides |= (SOME_COLUMN((m).moved & 1 << bit) != 0) << bit; \
        ONCE tiling.moved[BLOCK_ID] = (bits)sides;                    \
    } while (0)

#endif
