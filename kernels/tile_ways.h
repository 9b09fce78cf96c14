/* From a tile to its neighbours: see tiling.h. */
#ifndef SHOAL_TILE_WAYS_H
#define SHOAL_TILE_WAYS_H

/* Offset from a cell to its copy among the ghost cells of a neighbour; 0: there is none. */
FN long way_to(const struct tiling *t, int slot, int direction, long pitch)
{
    const struct tile_neighbour n = t->neighbour[slot * TILE_SIDES + direction];
    return n.slot < 0 || n.around ? 0 : n.di + ((long)(n.slot - slot) * t->rows + n.dj) * pitch;
}

#endif
