/* From a tile to its neighbours: see tiling.h. */
#ifndef SHOAL_TILE_WAYS_H
#define SHOAL_TILE_WAYS_H

/* Offset from a cell to its copy among the ghost cells of a neighbour; 0: there is none. */
FN long way_to(const struct tiling *t, int slot, int direction, long pitch)
{
    const struct tile_neighbour n = t->neighbour[slot * TILE_SIDES + direction];
    return n.slot < 0 || n.around ? 0 : n.di + ((long)(n.slot - slot) * t->rows + n.dj) * pitch;
}

/* Whether the neighbour in that direction has a copy of the tile's cell (i, j): ghost cells are GHOSTS wide. */
FN int is_copied(const struct tile_place here, int direction, int i, int j)
{
    const int dx = direction % 3 - 1, dy = direction / 3 - 1;
    const int beside_x = dx < 0 ? i < GHOSTS : dx == 0 || i >= here.nx - GHOSTS;
    const int beside_y = dy < 0 ? j < GHOSTS : dy == 0 || j >= here.ny - GHOSTS;
    return beside_x && beside_y && direction != TILE_SIDES / 2;
}

#endif
