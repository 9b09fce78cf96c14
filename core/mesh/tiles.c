/* A domain in tiles. */
#include "core/mesh/tiles.h"

#include "core/mesh/lattice.h"

/* Where piece k of `count` begins that n cells are cut into. */
static int begin(int n, int count, int k)
{
    return (int)((long)n * k / count);
}

/* The piece that has cell i. */
static int piece_of(int n, int count, int i)
{
    const int inside = i < 0 ? 0 : i < n ? i : n - 1;
    return (int)((((long)inside + 1) * count - 1) / n);
}

struct tiles tiles_cut(int nx, int ny, int w, int h)
{
    struct tiles t = {.nx = nx, .ny = ny};
    t.columns = (nx + w - 1) / w;
    t.rows = (ny + h - 1) / h;
    t.w = (nx + t.columns - 1) / t.columns;
    t.h = (ny + t.rows - 1) / t.rows;
    return t;
}

struct window tiles_window(const struct tiles *t, int k)
{
    const int i = k % t->columns, j = k / t->columns;
    const int i0 = begin(t->nx, t->columns, i), j0 = begin(t->ny, t->rows, j);
    return (struct window){i0, j0, begin(t->nx, t->columns, i + 1) - i0,
                           begin(t->ny, t->rows, j + 1) - j0};
}

int tiles_of_cell(const struct tiles *t, int i, int j)
{
    return piece_of(t->ny, t->rows, j) * t->columns + piece_of(t->nx, t->columns, i);
}

int tiles_beside(const struct tiles *t, const int periodic[2], int k, int dx, int dy)
{
    return lattice_beside(t->columns, t->rows, periodic, k, dx, dy);
}
