/* The row language on a GPU: a warp computes a block, and a row lies in its registers. Compiled for a CPU with
 * EMULATE it is the same program, whose threads of a warp meet at barriers where they vote and shuffle. rows.h
 * includes it. */
#ifndef SHOAL_ROWS_WARP_H
#define SHOAL_ROWS_WARP_H

/* Neighbouring columns lie in one thread: the more, the fewer values move between threads. */
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
/* A thread reads only what it has written; under --order the rest is NaN. */
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
/* All threads must reach these. */
#define WEST_OF(x) (c > 0 ? (x).v[c > 0 ? c - 1 : 0] : FROM_WEST((x).v[COLUMNS - 1]))
#define EAST_OF(x) (c + 1 < COLUMNS ? (x).v[c + 1 < COLUMNS ? c + 1 : 0] : FROM_EAST((x).v[0]))

#if defined(__CUDACC__)

NO_TILES;

struct warp {
    int thread;
    int far; /* the launch moves more than the last cache holds */
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
#define EXPECT_ROW(from, n) expect_own((from) + OWN_COLUMN(n), warp)
#define EXPECT_OWN(from, n) expect_own(from, warp)
#define EXPECT_STORE(to, n) ((void)(to))

/* A warp computes for longer than a row takes to arrive from the last cache, but not as long as from memory; a
 * load that far ahead would hold registers. On an H200 this gains 6 % in f32 and 15 % in f64, and costs 3 %
 * where the rows are in that cache anyway. */
#ifndef LAST_CACHE
#define LAST_CACHE 50000000 /* bytes; of an H100 or H200 */
#endif
#define MOVED 10 /* reals a cell, about */

FN void expect_own(const real *from, const struct warp warp)
{
    asm volatile(
        "{ .reg .pred far; setp.ne.s32 far, %1, 0; @far prefetch.global.L2 [%0]; }" ::"l"(from),
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
#define EXPECT_OWN(from, n) ((void)(from))
#define EXPECT_STORE(to, n) ((void)(to))

/* The value that another thread passes in the same place; at either end, its own. */
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
#define OWN_COLUMN(n)          own_column((n) + 2 * HALO, warp.thread)
#define LOAD_OWN(to, from, n)  load_own(&(to), from)
#define STORE_OWN(to, from, n) store_own(to, &(from), n, warp.thread)

/* Threads beyond the last of the `n` columns read what that column's thread reads. */
FN int own_column(int n, int thread)
{
    const int c = thread * COLUMNS;
    return c < n ? c : (n - 1) / COLUMNS * COLUMNS;
}

/* load_row: `from` points at column 0; threads beyond the last of the `n` columns read what that column's
 * thread reads, and columns beyond it in the last thread hold what lies behind the row: there is room.
 * store_row: columns HALO to HALO + n - 1 go to their places in `to`. Two columns are one access: rows begin at
 * an even cell. Where n is odd, this also writes the ghost cell after the last, which nothing reads before it
 * is filled. */
#if COLUMNS % 2 == 0

#ifndef __CUDACC__
typedef struct {
    real x, y;
} __attribute__((aligned(2 * sizeof(real)))) pair;
#elif PRECISION == 32 /* for our own structs the compiler makes an access per number */
#define pair float2
#else
#define pair double2
#endif

/* The compiler may make two stores of a pair, each of half of every sector that the warp writes. */
FN void store_pair(real *to, real x, real y)
{
#ifndef __CUDACC__
    pair p;
    p.x = x;
    p.y = y;
    *(pair *)(void *)to = p;
#elif PRECISION == 32
    asm volatile("st.global.v2.f32 [%0], {%1, %2};" ::"l"(to), "f"(x), "f"(y) : "memory");
#else
    asm volatile("st.global.v2.f64 [%0], {%1, %2};" ::"l"(to), "d"(x), "d"(y) : "memory");
#endif
}

#ifdef TILED
#define QUADS (COLUMNS == 4 && PRECISION == 32)
#ifndef __CUDACC__
typedef struct {
    real x, y, z, w;
} __attribute__((aligned(16))) quad;
#else
#define quad float4
#endif

/* Two stores of pairs, each of half of every sector that the warp writes, would double what goes to the last cache. The
 * first and the last thread have a pair that is not theirs. `low` and `high`: the pair belongs to the row. */
#if QUADS
FN void store_quad(real *to, const row *from, int low, int high)
{
#ifndef __CUDACC__
    if (low)
        store_pair(to, from->v[0], from->v[1]);
    if (high)
        store_pair(to + 2, from->v[2], from->v[3]);
#else
    asm volatile("{ .reg .pred whole, low, high;"
                 "setp.ne.s32 whole, %5, 0; setp.ne.s32 low, %6, 0; setp.ne.s32 high, %7, 0;"
                 "@whole st.global.v4.f32 [%0], {%1, %2, %3, %4};"
                 "@low st.global.v2.f32 [%0], {%1, %2};"
                 "@high st.global.v2.f32 [%0 + 8], {%3, %4}; }" ::"l"(to),
                 "f"(from->v[0]), "f"(from->v[1]), "f"(from->v[2]), "f"(from->v[3]),
                 "r"(low & high), "r"(low & !high), "r"(high & !low)
                 : "memory");
#endif
}
#endif
#endif /* TILED */

FN void load_own(row *to, const real *from)
{
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

FN void store_own(real *to, const row *from, int n, int thread)
{
#ifdef TILED
#if QUADS
    const int first = thread * COLUMNS;
    store_quad(to, from, (first >= HALO) & (first < n + HALO), first + 2 < n + HALO);
    return;
#endif
#endif /* TILED */
    PRAGMA_UNROLL
    for (int k = 0; k < COLUMNS; k += 2) {
        const int c = thread * COLUMNS + k;
        if (c >= HALO && c < n + HALO)
            store_pair(to + k, from->v[k], from->v[k + 1]);
    }
}

#else

FN void load_own(row *to, const real *from)
{
    PRAGMA_UNROLL
    for (int k = 0; k < COLUMNS; k++)
        to->v[k] = from[k];
}

FN void store_own(real *to, const row *from, int n, int thread)
{
    PRAGMA_UNROLL
    for (int k = 0; k < COLUMNS; k++) {
        const int c = thread * COLUMNS + k;
        if (c >= HALO && c < n + HALO)
            to[k] = from->v[k];
    }
}

#endif

FN void load_row(row *to, const real *from, int n, int thread)
{
    load_own(to, from + own_column(n, thread));
}

FN void store_row(real *to, const row *from, int n, int thread)
{
    store_own(to + thread * COLUMNS, from, n, thread);
}

#ifdef TILED
/* For each access of a thread to a row. */
#define AT_ONCE (COLUMNS % 2 == 0 ? 2 : 1)
/* A thread has west ends or east ends, so it needs one offset, which takes fewer registers than several. Of four
 * columns at most one pair is an end: a west end is the second pair of the first thread, whose first pair is none; the
 * offset is odd for the second pair. Of three columns any may be ends: bits say which. */
struct ends {
    long way;
#if COLUMNS == 3
    int columns;
#endif
};
#define COPY_ENDS(to, from, ends) copy_ends(to, &(from), &(ends))

FN void find_ends(struct ends *e, const struct warp warp, const struct strip s, long to_west,
                  long to_east)
{
    e->way = 0;
#if COLUMNS == 3
    e->columns = 0;
#endif
    PRAGMA_UNROLL
    for (int k = 0; k < COLUMNS / AT_ONCE; k++) {
        const int c = warp.thread * COLUMNS + k * AT_ONCE, cell = s.x + c - HALO;
        const long way = c < HALO || c >= s.w + HALO ? 0
                         : cell < HALO               ? to_west
                         : cell >= s.nx - HALO       ? to_east
                                                     : 0;
        if (way)
            e->way = COLUMNS == 4 ? way + k : way;
#if COLUMNS == 3
        e->columns |= (way != 0) << k;
#endif
    }
}

FN void copy_ends(real *to, const row *from, const struct ends *e)
{
    const long way = e->way;
#if COLUMNS == 4
    const int second = (int)(way & 1);
    if (way)
        store_pair(to + way + second, second ? from->v[2] : from->v[0],
                   second ? from->v[3] : from->v[1]);
#elif COLUMNS == 3
    PRAGMA_UNROLL
    for (int k = 0; k < COLUMNS; k++)
        if (e->columns & 1 << k)
            to[way + k] = from->v[k];
#elif COLUMNS == 2
    if (way)
        store_pair(to + way, from->v[0], from->v[1]);
#else
    if (way)
        to[way] = from->v[0];
#endif
}
#endif /* TILED */

#endif
