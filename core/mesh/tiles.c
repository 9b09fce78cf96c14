/* A domain in tiles. */
#include "core/mesh/tiles.h"

#include "core/mesh/lattice.h"

/* A last piece of one cell takes one or two more from the piece before it: neighbours use two of
 * its cells as ghosts, and this keeps a piece's number of cells even. */
static int taken(int n, int count, int size)
{
    if (count == 1 || n % size != 1)
        return 0;
    return size < LEAST_TILE + 2 ? 1 : 2;
}

/* The start of piece k when n cells are split into `count` pieces, of `size` cells each except
 * for the last ones. */
static int begin(int n, int count, int size, int k)
{
    return k == count ? n : k * size - (k > 0 && k == count - 1 ? taken(n, count, size) : 0);
}

/* The piece that contains cell i. */
static int piece_of(int n, int count, int size, int i)
{
    const int inside = i < 0 ? 0 : i < n ? i : n - 1, k = inside / size;
    return k + 1 < count && inside >= begin(n, count, size, k + 1) ? k + 1 : k;
}

struct tiles tiles_cut(int nx, int ny, int w, int h)
{
    return (struct tiles){.nx = nx,
                          .ny = ny,
                          .columns = (nx + w - 1) / w,
                          .rows = (ny + h - 1) / h,
                          .w = w < nx ? w : nx,
                          .h = h < ny ? h : ny};
}

int tiles_count(const struct tiles *t)
{
    return t->columns * t->rows;
}

struct window tiles_window(const struct tiles *t, int k)
{
    const int i = k % t->columns, j = k / t->columns;
    const int i0 = begin(t->nx, t->columns, t->w, i), j0 = begin(t->ny, t->rows, t->h, j);
    return (struct window){i0, j0, begin(t->nx, t->columns, t->w, i + 1) - i0,
                           begin(t->ny, t->rows, t->h, j + 1) - j0};
}

int tiles_of_cell(const struct tiles *t, int i, int j)
{
    return piece_of(t->ny, t->rows, t->h, j) * t->columns + piece_of(t->nx, t->columns, t->w, i);
}

struct window tiles_under(const struct tiles *t, const struct window *cells)
{
    const int first = tiles_of_cell(t, cells->i0, cells->j0);
    const int last = tiles_of_cell(t, cells->i0 + cells->nx - 1, cells->j0 + cells->ny - 1);
    const int i0 = first % t->columns, j0 = first / t->columns;
    return (struct window){i0, j0, last % t->columns - i0 + 1, last / t->columns - j0 + 1};
}

int tiles_beside(const struct tiles *t, const int periodic[2], int k, int dx, int dy)
{
    return lattice_beside(t->columns, t->rows, periodic, k, dx, dy);
}

int tiles_run(const struct tiles *t, const unsigned char *state, int least, int *next,
              struct window *cells)
{
    const int n = tiles_count(t);
    int k = *next;
    while (k < n && state[k] <= least)
        k++;
    if (k == n)
        return 0;
    *cells = tiles_window(t, k);
    for (*next = k + 1; *next % t->columns != 0 && state[*next] > least; ++*next)
        cells->nx += tiles_window(t, *next).nx;
    return 1;
}
