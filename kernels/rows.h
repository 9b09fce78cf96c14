/* The row language: a kernel marches over the rows of its block, from south to north, and keeps the last few of
 * them. One text, compiled for a GPU, where a warp computes a block and a row lies in its registers, and for
 * vector CPUs, where a row is a short array in cache. README.md beside this file explains it.
 *
 * A row has the block's columns and two more on each side: column c is cell X0 - HALO + c. Results in the outer
 * columns that depend on missing neighbours are meaningless. */
#ifndef SHOAL_ROWS_H
#define SHOAL_ROWS_H

#define ROW_THREADS 32 /* that compute a block on a GPU: one warp */

#define HALO  2
#define WIDTH (BW + 2 * HALO)

/* Warps that must fit on a multiprocessor at once, which limits the registers of a thread: the best on an H200,
 * for each number of columns per thread. */
#if PRECISION == 64
#define USUAL_WARPS (WIDTH < 64 ? 16 : WIDTH < 96 ? 8 : 4)
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000 && FRICTION
/* With 18, two columns a thread would spill. */
#define USUAL_WARPS (WIDTH < 64 ? 24 : WIDTH < 96 ? 16 : WIDTH < 128 ? 13 : 10)
#else
#define USUAL_WARPS (WIDTH < 64 ? 24 : WIDTH < 96 ? 18 : WIDTH < 128 ? 13 : 10)
#endif
#ifdef TILED
#if PRECISION == 32 && WIDTH == 96 && !defined(ROW_WARPS)
/* With 16, three columns a thread are 4 % slower on an H100, and spill over steps. */
#define ROW_WARPS 12
#endif
#endif /* TILED */
#ifndef ROW_WARPS
#define ROW_WARPS USUAL_WARPS
#endif
#undef MIN_BLOCKS /* that one is for blocks of tiles */
#define MIN_BLOCKS (ROW_WARPS < SM_BLOCKS ? ROW_WARPS : SM_BLOCKS)

#define BLOCK_THREADS ROW_THREADS

#ifdef __CUDACC__
#define ANY_OF_WARP(condition) SELDOM(condition) /* the whole row has already voted: SOME_COLUMN */
#endif

#include "args.h"

#ifdef TILED
#undef ROWS_IN
#undef FIRST_ROW
#define ROWS_IN         rows_of_strip(&tiling, block_y)
#define FIRST_ROW(t, y) rows_before_strip(&(t), y)

/* By the last block of a tile's column, in the march m: clears the record of those that exist only where strips are lower
 * than now. It looks the tile's height up again, which takes no register during the march. */
#define FORGET_IDLE_BLOCKS(record)                                       \
    do {                                                                 \
        const int last = TILE_Y(&m) + m.h == tiling.place[here.slot].ny; \
        for (int y = block_y + 1; last && y < tiling.up; y++)            \
            ONCE(record)[BLOCK_ID + (y - block_y) * BLOCKS_X] = 0;       \
    } while (0)

/* The columns of a tile of nx cells that its neighbours have as ghosts, two at each end. COPY_ENDS(to, row,
 * ends) copies those of a row, which STORE_ROW has stored at `to`, to the offset given to find_ends; 0: no
 * copy. A tile with a neighbour in the east has an even number of cells, at least four. */
struct strip {
    int x, w, nx; /* first cell and number of cells of the block, and cells of the tile */
};
#endif /* TILED */

/* WHOLE_ROWS: LOAD_ROW and STORE_ROW move whole rows, and GET and PUT see what they move. Where it is 0 they do
 * nothing, and GET and PUT, inside FOR_COLUMNS, access memory; `passing` rows, which nothing else touches, then
 * need not exist. EXPECT_ROW announces that a row will soon be read, EXPECT_STORE that it will be written.
 * FOR_CELLS(n): the row's n cells; with the outer columns, where that is faster. */
#if defined(__CUDACC__) || defined(EMULATE)
#include "rows_warp.h"
#else
#include "rows_vector.h"
#endif

/* Lines: three rows of each of several fields march on together. LINE(T, X), the kernel's, lists the fields as
 * T(name, X); ROW(m, name, k), k = 0, 1, 2 from south to north, is a row; MARCH_LINES(m) makes room for the
 * next ones. The kernel writes DECLARE_LINES before the struct of its rows, LINE_MEMBERS in it,
 * ROWS_OF_LINES(R) in its list, and THESE_LINES after THESE_ROWS. */

/* Makes room for the next row, which overwrites `last`. */
#define MARCH(first, middle, last) \
    SHIFT(first, middle);          \
    SHIFT(middle, last)

/* The largest of a row of patterns, over its columns from `first` on, as a number. */
#define LARGEST_IN(result, patterns, first, n)               \
    do {                                                     \
        bits most_here = 0;                                  \
        FOR_INNER(first, n)                                  \
        {                                                    \
            most_here = max_bits(most_here, HERE(patterns)); \
        }                                                    \
        result = real_of(LARGEST(most_here));                \
    } while (0)

#endif
