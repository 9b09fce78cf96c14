/* What fused.cu and hancock.cu record of the cells that may change, in tiles with a map of these: near which
 * sides of the tile they lie (tiling.h). A march has `moved`, these bits for the thread's columns, and above them,
 * in the same register, those that a change in any row of its columns would set. */
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

/* The cells of a block need no comparison once all bits are set that it can set: soon, where water moves. With four
 * columns a thread that would take registers that are not there, and vector code compares faster than it asks. */
#define KNOWS_ALL_MOVES (WHOLE_ROWS && WIDTH < 128)

/* The block's first cell is in column x of a tile of nx. */
#define BEGIN_MOVES(m, x, nx)                                                  \
    do {                                                                       \
        int any_row = 0;                                                       \
        FOR_COLUMNS                                                            \
        any_row |= IS_INNER(m) ? MOVES_AT_COLUMN((x) + COLUMN - HALO, nx) : 0; \
        (m)->moved = KNOWS_ALL_MOVES ? any_row << MOVES_BITS : 0;              \
    } while (0)

/* Whether a change in a row near these sides may set a bit that is not set yet. */
#define ASKS_MOVES(m, sides) \
    (!KNOWS_ALL_MOVES || SOME_COLUMN((~(m)->moved & ((m)->moved >> MOVES_BITS | (sides))) != 0))

/* Stores those of the whole block. */
#define STORE_MOVES(m)                                                \
    do {                                                              \
        int sides = 0;                                                \
        for (int bit = 0; bit < MOVES_BITS; bit++)                    \
            sides |= (SOME_COLUMN((m).moved & 1 << bit) != 0) << bit; \
        ONCE tiling.moved[BLOCK_ID] = (bits)sides;                    \
    } while (0)

#endif
