/* FOR_STRIPS: the cells of a block. On a GPU a thread computes STRIP of them, one above the other, and keeps in
 * registers what a cell needs of the two before. Part of sediment.cu. */
#ifndef SHOAL_SEDIMENT_STRIPS_H
#define SHOAL_SEDIMENT_STRIPS_H

/* Values in a cell and in the four around it; `of` reads one. */
struct cross {
    real here, west, east, south, north;
};
#define ALL_OF(c, of, k)          \
    do {                          \
        (c).here = of(k, 0, 0);   \
        (c).south = of(k, 0, -1); \
        ASIDE(c, of, k);          \
    } while (0)
#define ASIDE(c, of, k)          \
    do {                         \
        (c).west = of(k, -1, 0); \
        (c).east = of(k, 1, 0);  \
        (c).north = of(k, 0, 1); \
    } while (0)

/* FOR_STRIPS(i, j): i and j run over the block's cells, and CELL is the offset of cell (i, j). CARRY before it
 * declares a cross, CROSS in it sets it to the values around that cell. CELLS_AGAIN is the same for code that
 * seldom runs. */
#if (defined(__CUDACC__) || defined(EMULATE)) && STRIP > 1

/* Blocks inside the domain have a copy of the code without conditions, which would keep loads of the strip's
 * next cell behind the results of this one. */
#define IN_STRIP(i, j, edge)                                                   \
    for (int strip_n = 0; strip_n < STRIP; strip_n++)                          \
        for (int i = THREAD % BW, j = THREAD / BW * STRIP + strip_n, once = 1; \
             once && (!(edge) || (i < CELLS_X && j < CELLS_Y)); once = 0)
#define INSIDE (BH % STRIP == 0 && CELLS_X == BW && CELLS_Y == BH)
#define FOR_STRIPS(i, j)                 \
    UNROLL(2)                            \
    for (int edge = 0; edge < 2; edge++) \
        if (edge == !INSIDE)             \
            UNROLL(STRIP)                \
    IN_STRIP(i, j, edge)
#define CELLS_AGAIN(i, j) \
    UNROLL(1)             \
    IN_STRIP(i, j, 1)
#define CELL(i, j) (at(a.pitch, X0 + (i), Y0 + (j)-strip_n) + strip_n * a.pitch)
#define CARRY(c)   struct cross c = {0}
#define CROSS(c, of, k)       \
    if (strip_n) {            \
        (c).south = (c).here; \
        (c).here = (c).north; \
        ASIDE(c, of, k);      \
    } else                    \
        ALL_OF(c, of, k)

#elif PART == BASIN_ONE && defined(__CUDACC__)

/* Of the columns of a lane: sediment_march.h. */
#define CELLS_AGAIN(i, j)                                                   \
    for (int i = THREAD - 2; i >= 0 && THREAD < 30 && i < CELLS_X; i += 28) \
        for (int j = 0; j < CELLS_Y; j++)
#define CELL(i, j) at(a.pitch, X0 + (i), Y0 + (j))

#else

#define FOR_STRIPS(i, j)  FOR_TILE (i, j, 0, 0)
#define CELLS_AGAIN(i, j) FOR_TILE (i, j, 0, 0)
#define CELL(i, j)        at(a.pitch, X0 + (i), Y0 + (j))
#define CARRY(c)          (void)0
#define CROSS(c, of, k) \
    struct cross c;     \
    ALL_OF(c, of, k)

#endif

#endif
