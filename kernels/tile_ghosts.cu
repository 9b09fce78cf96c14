/* Fills the ghost cells of tiles from cells of other tiles, or from their ghost cells outside the domain's
 * edges. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* as in boundary.cu */
#endif

#include "ghosts.h"

#include "tile_ghosts.h"

NO_TILES;

/* Ghost cell m of a tile: two rows in the south, two in the north, then two columns in the west and in the
 * east. False beyond the last one. */
FN int find_ghost(int m, int nx, int ny, int *i, int *j)
{
    const int width = nx + 2 * GHOSTS, in_rows = 2 * GHOSTS * width;
    if (m < in_rows) {
        const int row = m / width;
        *i = m % width - GHOSTS;
        *j = row < GHOSTS ? row - GHOSTS : ny + row - GHOSTS;
        return 1;
    }
    const int column = (m - in_rows) % (2 * GHOSTS);
    *i = column < GHOSTS ? column - GHOSTS : nx + column - GHOSTS;
    *j = (m - in_rows) / (2 * GHOSTS);
    return *j < ny;
}

/* Ghost cell (i, j) of a tile, which a neighbour has. */
FN void fill_ghost(const struct tile_ghosts_args *a, const struct tile_place here,
                   const struct tile_neighbour from, int i, int j)
{
    const long to = at(a->pitch, i, here.slot * a->rows + j);
    const long k = at(a->pitch, i + from.di, from.slot * a->rows + j + from.dj);
    for (int u = 0; u < a->unknowns; u++)
        a->unknown[u][to] = u == 0 && from.around && a->centre
                                ? carried_over(a->unknown[u][k], a->centre[k], a->centre[to], a->p.still)
                                : a->unknown[u][k];
    for (int u = 0; u < a->unknowns && a->rise && from.around_x; u++)
        a->unknown[u][to] += (real)from.around_x * a->rise[u];
    for (int u = 0; u < a->unknowns && a->rise && from.around_y; u++)
        a->unknown[u][to] += (real)from.around_y * a->rise[TILED_UNKNOWNS + u];
}

#ifdef ON_CPU
/* The unknowns of ghost cells that lie in one rectangle, from (i, j) on, one after the other: memory is faster so. */
FN void copy_rectangle(const struct tile_ghosts_args *a, const struct tile_place here,
                       const struct tile_neighbour from, int i, int j, int nx, int ny)
{
    const long to = at(a->pitch, i, here.slot * a->rows + j);
    const long k = at(a->pitch, i + from.di, from.slot * a->rows + j + from.dj);
    for (int u = 0; u < a->unknowns; u++)
        for (int row = 0; row < ny; row++)
            for (int c = 0; c < nx; c++)
                a->unknown[u][to + row * a->pitch + c] = a->unknown[u][k + row * a->pitch + c];
}

FN void fill_sides(const struct tile_ghosts_args *a, const struct tile_place here)
{
    for (int side = 0; side < TILE_SIDES; side++) {
        const int dx = side % 3 - 1, dy = side / 3 - 1;
        const int i0 = dx < 0 ? -GHOSTS : dx ? here.nx : 0, nx = dx ? GHOSTS : here.nx;
        const int j0 = dy < 0 ? -GHOSTS : dy ? here.ny : 0, ny = dy ? GHOSTS : here.ny;
        const struct tile_neighbour from = a->neighbour[here.slot * TILE_SIDES + side];
        if ((!dx && !dy) || from.slot < 0 || (a->only_around && !from.around))
            continue;
        if (!from.around)
            copy_rectangle(a, here, from, i0, j0, nx, ny);
        for (int j = j0; from.around && j < j0 + ny; j++)
            for (int i = i0; i < i0 + nx; i++)
                fill_ghost(a, here, from, i, j);
    }
}

/* Those of the tiles whose first ghost cell is one of n from number m on. */
FN void fill_tiles(const struct tile_ghosts_args *a, int m, int n)
{
    for (int tile = (m + a->each - 1) / a->each; tile * a->each < m + n; tile++)
        if (a->place[tile].nx)
            fill_sides(a, a->place[tile]);
}
#endif /* ON_CPU */

KERNEL(tile_ghosts, struct tile_ghosts_args)
{
    (void)t;
    if (a.clock->halt)
        return;
#ifdef ON_CPU
    fill_tiles(&a, X0, CELLS_X);
    return;
#endif /* ON_CPU */
    FOR_TILE(m, row, 0, 0) {
        const struct tile_place here = a.place[(X0 + m) / a.each];
        int i, j;
        if (row > 0 || here.nx == 0 || !find_ghost((X0 + m) % a.each, here.nx, here.ny, &i, &j))
            continue;
        const int dx = i < 0 ? 0 : i < here.nx ? 1 : 2, dy = j < 0 ? 0 : j < here.ny ? 1 : 2;
        const struct tile_neighbour from = a.neighbour[here.slot * TILE_SIDES + 3 * dy + dx];
        if (from.slot >= 0 && (!a.only_around || from.around))
            fill_ghost(&a, here, from, i, j);
    }
}
