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

KERNEL(tile_ghosts, struct tile_ghosts_args)
{
    (void)t;
    if (a.clock->halt)
        return;
    FOR_TILE(m, row, 0, 0) {
        const struct tile_place here = a.place[(X0 + m) / a.each];
        int i, j;
        if (row > 0 || here.nx == 0 || !find_ghost((X0 + m) % a.each, here.nx, here.ny, &i, &j))
            continue;
        const int dx = i < 0 ? 0 : i < here.nx ? 1 : 2, dy = j < 0 ? 0 : j < here.ny ? 1 : 2;
        const struct tile_neighbour from = a.neighbour[here.slot * TILE_SIDES + 3 * dy + dx];
        if (from.slot < 0 || (a.only_around && !from.around))
            continue;
        const long to = at(a.pitch, i, here.slot * a.rows + j);
        const long k = at(a.pitch, i + from.di, from.slot * a.rows + j + from.dj);
        for (int u = 0; u < a.unknowns; u++)
            a.unknown[u][to] = u == 0 && from.around && a.centre
                                   ? carried_over(a.unknown[u][k], a.centre[k], a.centre[to], a.p.still)
                                   : a.unknown[u][k];
        for (int u = 0; u < a.unknowns && a.rise && from.around_x; u++)
            a.unknown[u][to] += (real)from.around_x * a.rise[u];
        for (int u = 0; u < a.unknowns && a.rise && from.around_y; u++)
            a.unknown[u][to] += (real)from.around_y * a.rise[TILED_UNKNOWNS + u];
    }
}
