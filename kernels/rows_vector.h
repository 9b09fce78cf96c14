/* The row language on a CPU: a row is a short array in cache, and a loop over its columns becomes vector
 * code. rows.h includes it. */
#ifndef SHOAL_ROWS_VECTOR_H
#define SHOAL_ROWS_VECTOR_H

/* A row also has neighbours in the outer columns, and its length is a whole number of vectors: results beyond
 * the last cell are meaningless. Rows are aligned, memory is not. */
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
/* Zeros everywhere: stale numbers in memory might be slow to compute with. */
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
/* Lines, below: one pointer finds all rows of a line. With one pointer each, registers would not suffice. */
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

/* A loop that computes hides the latency of a load; one that copies a row waits for it. Loads take whole
 * vectors: up to VECTOR - 1 columns beyond the row. */
#define WHOLE_ROWS            0
#define LOAD_ROW(to, from, n) ((void)0)
#define OWN_COLUMN(n)         0
#define LOAD_OWN(to, from, n) ((void)0)
#define EXPECT_OWN(from, n)   EXPECT_ROW(from, n)
#define STORE_OWN(to, x, n)   STORE_ROW(to, x, n)
#define GET(x, from)          (from)[c]
#define GET_EAST(x, from)     (from)[c + 1]
#define EXPECT_ROW(from, n)   expect_row(from, (n) + 2 * HALO)
#define EXPECT_STORE(to, n)   EXPECT_ROW(to, n)

/* Into the second-level cache: the first is too small. */
FN void expect_row(const real *from, int n)
{
    for (int c = 0; c < n; c += VECTOR)
        __builtin_prefetch(from + c, 0, 2);
}

#if defined(__AVX512F__) /* storing some of a vector's lanes is as fast as all */

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
