/* The row language: a kernel marches over the rows of its block, from south to north, and keeps the
 * last few of them. One text, compiled for a GPU, where a warp does a block and a row lies in its
 * registers, and for vector CPUs, where a row is a short array in cache. README.md beside this file
 * explains it.
 *
 * A row has the block's columns and two more on each side: column c is cell X0 - HALO + c. What is
 * computed in the outer columns from neighbours that are not there means nothing. */
#ifndef SHOAL_ROWS_H
#define SHOAL_ROWS_H

#define ROW_THREADS 32 /* that do a block on a GPU: one warp */

#define HALO  2
#define WIDTH (BW + 2 * HALO)

/* Warps that must fit on a multiprocessor at once, which limits the registers of a thread: found best
 * on an H200, for each number of columns that a thread has. */
#if PRECISION == 64
#define USUAL_WARPS (WIDTH < 64 ? 16 : WIDTH < 96 ? 8 : 4)
#elif !defined(FAST) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000 && FRICTION)
/* Two columns a thread would spill with 18. */
#define USUAL_WARPS (WIDTH < 64 ? 24 : WIDTH < 96 ? 16 : WIDTH < 128 ? 13 : 10)
#else
#define USUAL_WARPS (WIDTH < 64 ? 24 : WIDTH < 96 ? 18 : WIDTH < 128 ? 13 : 10)
#endif
#ifdef TILED
#if PRECISION == 64 && WIDTH < 64 && !defined(ROW_WARPS)
#define ROW_WARPS 20 /* 14.5 beside 13.6 x 10^9 updates/s with 16 on an H200 */
#endif
#endif /* TILED */
#ifndef ROW_WARPS
#define ROW_WARPS USUAL_WARPS
#endif
#undef MIN_BLOCKS /* which speaks of blocks of tiles */
#define MIN_BLOCKS (ROW_WARPS < SM_BLOCKS ? ROW_WARPS : SM_BLOCKS)

#define BLOCK_THREADS ROW_THREADS

#ifdef __CUDACC__
#define ANY_OF_WARP(condition) SELDOM(condition) /* a whole row has voted: SOME_COLUMN */
#endif

#include "args.h"

#ifdef TILED
/* The columns of a tile of nx cells that its neighbours have as ghosts, two at each end. COPY_ENDS(to, row, ends) stores those of
 * a row, which STORE_ROW has stored at `to`, as far behind it as find_ends was told; 0: they are not stored. A tile with a
 * neighbour in the east has an even number of cells, four at least. */
struct strip {
    int x, w, nx; /* first cell and number of cells of the block, and cells of the tile */
};
#endif /* TILED */

/* WHOLE_ROWS: LOAD_ROW and STORE_ROW move whole rows, and GET and PUT see what they move. Where it is 0
 * they do nothing, and GET and PUT, inside FOR_COLUMNS, read and write memory; `passing` rows, which
 * nothing else touches, need then not exist. EXPECT_ROW says that a row will soon be asked for,
 * EXPECT_STORE that it will be written.
 * FOR_CELLS(n): the row's n cells; with the outer columns, where that is faster. */

#if defined(__CUDACC__) || defined(EMULATE)

/* Neighbouring columns lie in one thread: the more, the fewer values go from thread to thread. */
#define COLUMNS (WIDTH / ROW_THREADS)
#if WIDTH % ROW_THREADS != 0
#error "a block of the row language is 32 n - 4 cells wide on a GPU: 28, 60, 92, ..."
#endif

typedef struct {
    real v[COLUMNS];
} row;
typedef struct {
    bits v[COLUMNS];
} pattern_row;

#define ROW_MEMBER(name)     row name;
#define PATTERN_MEMBER(name) pattern_row name;
#define PASSING_MEMBER(name) row name;
/* What a thread reads it has written; under --order what it has not is not a number. */
#if defined(EMULATE)
#define ROW_READY(name) FOR_COLUMNS HERE(m.name) = real_of(~(bits)0);
#else
#define ROW_READY(name)
#endif
#define PATTERN_READY(name) FOR_COLUMNS HERE(m.name) = 0;
#define THESE_ROWS(type, LIST) \
    type m;                    \
    LIST(ROW_READY, PATTERN_READY, ROW_READY)

/* Lines, below: each row by itself, in registers. */
#define DECLARE_LINES
#define LINE_MEMBERS
#define THESE_LINES
#define THREE(name, R)     R(name##0) R(name##1) R(name##2)
#define ROWS_OF_LINES(R)   LINE(THREE, R)
#define ROW(m, name, k)    (m)->name##k
#define MARCH_ONE(name, m) MARCH((m)->name##0, (m)->name##1, (m)->name##2);
#define MARCH_LINES(m)     LINE(MARCH_ONE, m)

#define HERE(x)              (x).v[c]
#define SHIFT(to, from)      to = from
#define COLUMN               (warp.thread * COLUMNS + c)
#define FOR_COLUMNS          PRAGMA_UNROLL for (int c = 0; c < COLUMNS; c++)
#define FOR_INNER(first, n)  FOR_COLUMNS if (COLUMN >= (first) && COLUMN < (first) + (n))
#define WHOLE_ROWS           1
#define FOR_CELLS(n)         FOR_COLUMNS
#define GET(x, from)         ((void)(from), HERE(x))
#define GET_EAST(x, from)    ((void)(from), EAST_OF(x))
#define PUT(to, x, n, value) HERE(x) = (value)
/* To be reached by all threads. */
#define WEST_OF(x) (c > 0 ? (x).v[c > 0 ? c - 1 : 0] : FROM_WEST((x).v[COLUMNS - 1]))
#define EAST_OF(x) (c + 1 < COLUMNS ? (x).v[c + 1 < COLUMNS ? c + 1 : 0] : FROM_EAST((x).v[0]))

#if defined(__CUDACC__)

NO_TILES;

struct warp {
    int thread;
    int far; /* what the launch moves does not stay in the last cache */
};

#define PRAGMA_UNROLL _Pragma("unroll")
#define THIS_WARP         \
    struct warp warp;     \
    (void)t;              \
    warp.thread = THREAD; \
    warp.far = (long)a.span.nx * a.span.ny > LAST_CACHE / (long)(MOVED * sizeof(real))
#define FROM_WEST(x)        __shfl_up_sync(0xffffffffu, x, 1)
#define FROM_EAST(x)        __shfl_down_sync(0xffffffffu, x, 1)
#define LARGEST(m)          warp_max(m, warp.thread, ROW_THREADS)
#define SOME_COLUMN(x)      __any_sync(0xffffffffu, x)
#define EXPECT_ROW(from, n) expect_row(from, (n) + 2 * HALO, warp)
#define EXPECT_STORE(to, n) ((void)(to))

/* A warp computes longer than a row takes from the last cache, but not as long as from memory; a load
 * so far ahead would hold registers. On an H200 this gains 6 % in f32 and 15 % in f64, and where the rows
 * are in that cache anyway it costs 3 %. */
#ifndef LAST_CACHE
#define LAST_CACHE 50000000 /* bytes; of an H100 or H200 */
#endif
#define MOVED 10 /* reals a cell, about */

FN void expect_row(const real *from, int n, const struct warp warp)
{
    const int c = warp.thread * COLUMNS;
    asm volatile("{ .reg .pred far; setp.ne.s32 far, %1, 0; @far prefetch.global.L2 [%0]; }" ::"l"(
                     from + (c < n ? c : n - 1)),
                 "r"(warp.far));
}

#else

TILES
{
    real lane[ROW_THREADS];
    bits most;
};

struct warp {
    int thread;
    struct tiles *t;
    void (*barrier)(void);
};

#define PRAGMA_UNROLL
#define THIS_WARP           const struct warp warp = {thread, t, barrier}
#define FROM_WEST(x)        from_lane(warp, x, -1)
#define FROM_EAST(x)        from_lane(warp, x, 1)
#define LARGEST(m)          largest_of_lanes(warp, m)
#define SOME_COLUMN(x)      largest_of_lanes(warp, (bits)(x))
#define EXPECT_ROW(from, n) ((void)(from))
#define EXPECT_STORE(to, n) ((void)(to))

/* What another thread passes in the same place; at either end, its own. */
FN real from_lane(const struct warp warp, real x, int d)
{
    const int other = warp.thread + d;
    warp.t->lane[warp.thread] = x;
    warp.barrier();
    const real theirs = other >= 0 && other < ROW_THREADS ? warp.t->lane[other] : x;
    warp.barrier();
    return theirs;
}

FN bits largest_of_lanes(const struct warp warp, bits m)
{
    warp.barrier();
    if (warp.thread == 0)
        warp.t->most = 0;
    warp.barrier();
    warp.t->most = max_bits(warp.t->most, m);
    warp.barrier();
    return warp.t->most;
}

#endif

#define LOAD_ROW(to, from, n)  load_row(&(to), from, (n) + 2 * HALO, warp.thread)
#define STORE_ROW(to, from, n) store_row(to, &(from), n, warp.thread)

/* load_row: `from` points at column 0; threads beyond the last of the `n` columns read what its thread
 * reads, and the last thread's columns beyond it hold what lies behind the row: there is room.
 * store_row: columns HALO to HALO + n - 1 go to where `to` has them. Two columns are one access: rows
 * begin at an even cell. Where n is odd, the ghost cell after the last is written, too: nobody reads it
 * before it is filled. */
#if COLUMNS % 2 == 0

typedef struct {
    real x, y;
} __attribute__((aligned(2 * sizeof(real)))) pair;
#ifdef TILED
#define QUADS (COLUMNS == 4 && PRECISION == 32)
#ifndef __CUDACC__
typedef struct {
    real x, y, z, w;
} __attribute__((aligned(16))) quad;
#elif PRECISION == 32 /* of structs of ours the compiler makes an access to each number */
#define pair float2
#define quad float4
#else
#define pair double2
#endif
#endif /* TILED */

FN void load_row(row *to, const real *from, int n, int thread)
{
    const int c = thread * COLUMNS;
    from += c < n ? c : (n - 1) / COLUMNS * COLUMNS;
#ifdef TILED
    /* Rows of tiles begin at a multiple of 128 bytes, with column 0. */
#if QUADS
    const quad q = *(const quad *)(const void *)from;
    to->v[0] = q.x;
    to->v[1] = q.y;
    to->v[2] = q.z;
    to->v[3] = q.w;
    return;
#endif
#endif /* TILED */
    PRAGMA_UNROLL
    for (int k = 0; k < COLUMNS; k += 2) {
        const pair p = *(const pair *)(const void *)(from + k);
        to->v[k] = p.x;
        to->v[k + 1] = p.y;
    }
}

FN void store_row(real *to, const row *from, int n, int thread)
{
    PRAGMA_UNROLL
    for (int k = 0; k < COLUMNS; k += 2) {
        const int c = thread * COLUMNS + k;
        pair p;
        p.x = from->v[k];
        p.y = from->v[k + 1];
        if (c >= HALO && c < n + HALO)
            *(pair *)(void *)(to + c) = p;
    }
}

#else

FN void load_row(row *to, const real *from, int n, int thread)
{
    PRAGMA_UNROLL
    for (int k = 0; k < COLUMNS; k++) {
        const int c = thread * COLUMNS + k;
        to->v[k] = from[c < n ? c : n - 1];
    }
}

FN void store_row(real *to, const row *from, int n, int thread)
{
    PRAGMA_UNROLL
    for (int k = 0; k < COLUMNS; k++) {
        const int c = thread * COLUMNS + k;
        if (c >= HALO && c < n + HALO)
            to[c] = from->v[k];
    }
}

#endif

#ifdef TILED
/* Of each access of a thread to a row. */
#define AT_ONCE (COLUMNS % 2 == 0 ? 2 : 1)
struct ends {
    long way[COLUMNS / AT_ONCE];
};
#define COPY_ENDS(to, from, ends) copy_ends(to, &(from), &(ends), warp.thread)

FN void find_ends(struct ends *e, const struct warp warp, const struct strip s, long to_west,
                  long to_east)
{
    PRAGMA_UNROLL
    for (int k = 0; k < COLUMNS / AT_ONCE; k++) {
        const int c = warp.thread * COLUMNS + k * AT_ONCE, cell = s.x + c - HALO;
        e->way[k] = c < HALO || c >= s.w + HALO ? 0
                    : cell < HALO               ? to_west
                    : cell >= s.nx - HALO       ? to_east
                                                : 0;
    }
}

FN void copy_ends(real *to, const row *from, const struct ends *e, int thread)
{
    PRAGMA_UNROLL
    for (int k = 0; k < COLUMNS / AT_ONCE; k++) {
        real *const there = to + thread * COLUMNS + k * AT_ONCE + e->way[k];
        if (!e->way[k])
            continue;
#if COLUMNS % 2 == 0
        pair p;
        p.x = from->v[2 * k];
        p.y = from->v[2 * k + 1];
        *(pair *)(void *)there = p;
#else
        *there = from->v[k];
#endif
    }
}
#endif /* TILED */

#else

/* A row's neighbours in the outer columns are there, too, and its length is a number of whole vectors:
 * what is computed beyond the last cell means nothing. Rows are aligned, what comes from memory is not. */
#define VECTOR  (512 / PRECISION)
#define ROUNDED ((WIDTH + VECTOR - 1) / VECTOR * VECTOR)

typedef struct {
    real v[VECTOR + ROUNDED + VECTOR] __attribute__((aligned(64)));
} row;
typedef struct {
    bits v[VECTOR + ROUNDED + VECTOR] __attribute__((aligned(64)));
} pattern_row;

NO_TILES;

struct warp {
    int columns;
};

#define ROW_MEMBER(name)     row *name;
#define PATTERN_MEMBER(name) pattern_row *name;
#define ROW_CELLS(name)      row name;
#define PATTERN_CELLS(name)  pattern_row name;
#define READY(name)          m.name = &cells.name;
/* Zeros everywhere: what lies in memory might be slow to compute with. */
#define THESE_ROWS(type, LIST)                        \
    struct {                                          \
        LIST(ROW_CELLS, PATTERN_CELLS, PASSING_CELLS) \
    } cells;                                          \
    type m;                                           \
    __builtin_memset(&cells, 0, sizeof cells);        \
    LIST(READY, READY, PASSING_READY)
#define THIS_WARP                                                                   \
    const struct warp warp = {(CELLS_X + 2 * HALO + VECTOR - 1) / VECTOR * VECTOR}; \
    (void)t
/* Lines, below: one pointer finds all rows of a line. Had each its own, there would not be enough
 * registers for them. */
#define ROW_OF_LINE(name, x) row name;
#define DECLARE_LINES       \
    struct line {           \
        LINE(ROW_OF_LINE, ) \
    };
#define LINE_MEMBERS struct line *line0, *line1, *line2;
#define ROWS_OF_LINES(R)
#define THESE_LINES                           \
    struct line lines[3];                     \
    __builtin_memset(lines, 0, sizeof lines); \
    m.line0 = lines, m.line1 = lines + 1, m.line2 = lines + 2;
#define ROW(m, name, k) (&(m)->line##k->name)
#define MARCH_LINES(m)  MARCH((m)->line0, (m)->line1, (m)->line2)
#define HERE(x)         (x)->v[VECTOR + c]
#define SHIFT(to, from)              \
    do {                             \
        __typeof__(to) swapped = to; \
        to = from, from = swapped;   \
    } while (0)
#define COLUMN              c
#define FOR_COLUMNS         INDEPENDENT for (int c = 0; c < warp.columns / VECTOR * VECTOR; c++)
#define FOR_INNER(first, n) for (int c = (first); c < (first) + (n); c++)
#define WEST_OF(x)          (x)->v[VECTOR + c - 1]
#define EAST_OF(x)          (x)->v[VECTOR + c + 1]
#define LARGEST(m)          (m)
#define SOME_COLUMN(x)      (x)
#define FOR_CELLS(n)        FOR_INNER(HALO, n)

/* A loop that computes hides the time that a load takes; one that copies a row waits for it. Vectors
 * are loaded whole: up to VECTOR - 1 columns more than there are. */
#define WHOLE_ROWS            0
#define LOAD_ROW(to, from, n) ((void)0)
#define GET(x, from)          (from)[c]
#define GET_EAST(x, from)     (from)[c + 1]
#define EXPECT_ROW(from, n)   expect_row(from, (n) + 2 * HALO)
#define EXPECT_STORE(to, n)   EXPECT_ROW(to, n)

/* Into the second cache: the first one has no room. */
FN void expect_row(const real *from, int n)
{
    for (int c = 0; c < n; c += VECTOR)
        __builtin_prefetch(from + c, 0, 2);
}

#if defined(__AVX512F__) /* some of a vector's lanes are stored as fast as all */

#ifdef TILED
#define PASSING_IN_MEMORY
#endif /* TILED */
#define PASSING_MEMBER(name)
#define PASSING_CELLS(name)
#define PASSING_READY(name)
#define PUT(to, x, n, value)                  \
    if ((unsigned)(c - HALO) < (unsigned)(n)) \
    (to)[c] = (value)
#define STORE_ROW(to, from, n) ((void)0)

#else

#define PASSING_MEMBER(name)   ROW_MEMBER(name)
#define PASSING_CELLS(name)    ROW_CELLS(name)
#define PASSING_READY(name)    READY(name)
#define PUT(to, x, n, value)   HERE(x) = (value)
#define STORE_ROW(to, from, n) store_row(to, from, n)

FN void store_row(real *to, const row *from, int n)
{
    INDEPENDENT for (int c = HALO; c < n + HALO; c++) to[c] = from->v[VECTOR + c];
}

#endif

#ifdef TILED
struct ends {
    int west, west_end, east, east_end; /* columns */
    long to_west, to_east;
};
#define COPY_ENDS(to, from, ends) copy_ends(to, &(ends)) /* the row is in memory */

FN void find_ends(struct ends *e, const struct warp warp, const struct strip s, long to_west,
                  long to_east)
{
    const int end = HALO + s.w;
    (void)warp;
    e->west = HALO;
    e->west_end = !to_west || s.x >= HALO ? HALO : 2 * HALO - s.x < end ? 2 * HALO - s.x : end;
    e->east = to_east ? s.nx - s.x > HALO ? s.nx - s.x : HALO : end;
    e->east_end = end;
    e->to_west = to_west;
    e->to_east = to_east;
}

FN void copy_ends(real *to, const struct ends *e)
{
    for (int c = e->west; c < e->west_end; c++)
        to[c + e->to_west] = to[c];
    for (int c = e->east; c < e->east_end; c++)
        to[c + e->to_east] = to[c];
}
#endif /* TILED */

#endif

/* Lines: three rows of each of several fields march on together. LINE(T, X), the kernel's, lists the
 * fields as T(name, X); ROW(m, name, k), k = 0, 1, 2 from south to north, is a row; MARCH_LINES(m) lets
 * the next ones come. The kernel says DECLARE_LINES before the struct of its rows, LINE_MEMBERS in it,
 * ROWS_OF_LINES(R) in its list, and THESE_LINES after THESE_ROWS. */

/* The next row may come: it will overwrite `last`. */
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
