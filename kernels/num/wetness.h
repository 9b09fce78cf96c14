/* Early exit: which blocks a step may leave out (thesis 2.3 and 4.4.2; paper III, "early exit"). */
#ifndef SHOAL_WETNESS_H
#define SHOAL_WETNESS_H

#include "args.h"

#ifndef EARLY_EXIT
#define EARLY_EXIT 0
#endif

/* Stores a flux through the rim, or adds it to those of earlier substeps. */
FN void keep(real *rim, real flux, int add)
{
    *rim = add ? *rim + flux : flux;
}

/* True if nothing moved in the step last mapped in any block near enough to be felt in this one:
 * then nothing will move here. The map may be one step old, which doubles the reach; when it is
 * older every block is computed, and the map is new again. Beyond a wall lies a mirror image of the
 * same cells; near any other edge a block is always computed. */
FN int quiet_around(const struct wetness wet, unsigned long map_age, const struct span s,
                    int block_x, int block_y)
{
    const int reach = map_age == 0 ? REACH : 2 * REACH;
    const int west = block_x * BW - reach, east = block_x * BW + BW - 1 + reach;
    const int south = block_y * BH - reach, north = block_y * BH + BH - 1 + reach;
    if (map_age > 1 || (west < 0 && !wet.wall[WEST]) || (east >= s.nx && !wet.wall[EAST]) ||
        (south < 0 && !wet.wall[SOUTH]) || (north >= s.ny && !wet.wall[NORTH]))
        return 0;
    const int x0 = west < 0 ? 0 : west / BW, x1 = (east < s.nx ? east : s.nx - 1) / BW;
    const int y0 = south < 0 ? 0 : south / BH, y1 = (north < s.ny ? north : s.ny - 1) / BH;
    const int across = (s.nx + BW - 1) / BW;
    bits active = 0;
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++)
            active |= wet.active[y * across + x];
    return active == 0;
}

#endif
