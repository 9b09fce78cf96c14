/* Early exit: decides for every block whether the coming step leaves it out, and lists the others (thesis 2.3
 * and 4.4.2; paper III, "early exit"). */
#include "args.h"

NO_TILES;

/* Whether positions low..high of an edge include anything but a wall. */
FN int open_among(const struct select_args a, int e, int low, int high, int n)
{
    const int *const others = a.others[e];
    if (a.wall[e] || !others)
        return !a.wall[e];
    return others[high < n ? high + 1 : n] > others[low > 0 ? low : 0];
}

/* True if nothing moved in the last mapped step in any block near enough to affect block (x, y) in this step:
 * then nothing will move there. The map may be one step old, which doubles the reach; if it is older, every
 * block is computed, which renews the map. A wall mirrors the same cells; blocks near any other edge are
 * always computed. */
FN int quiet_around(const struct select_args a, unsigned long map_age, int x, int y)
{
    const int reach = map_age == 0 ? REACH : 2 * REACH;
    const int west = x * a.w - reach, east = x * a.w + a.w - 1 + reach;
    const int south = y * a.h - reach, north = y * a.h + a.h - 1 + reach;
    if (map_age > 1 || (west < 0 && open_among(a, WEST, south, north, a.ny)) ||
        (east >= a.nx && open_among(a, EAST, south, north, a.ny)) ||
        (south < 0 && open_among(a, SOUTH, west, east, a.nx)) ||
        (north >= a.ny && open_among(a, NORTH, west, east, a.nx)))
        return 0;
    const int x0 = west < 0 ? 0 : west / a.w, x1 = (east < a.nx ? east : a.nx - 1) / a.w;
    const int y0 = south < 0 ? 0 : south / a.h, y1 = (north < a.ny ? north : a.ny - 1) / a.h;
    bits active = 0;
    for (int j = y0; j <= y1; j++)
        for (int i = x0; i <= x1; i++)
            active |= a.wet.active[j * a.span.nx + i];
    return active == 0;
}

KERNEL(select, struct select_args)
{
    (void)t;
    if (a.clock->halt)
        return;
    const unsigned long age = a.clock->map_age;
    FOR_TILE(i, j, 0, 0) {
        const int x = X0 + i, y = Y0 + j, id = y * a.span.nx + x;
        const int quiet = quiet_around(a, age, x, y);
        a.wet.skip[id] = quiet;
        if (!quiet)
            a.wet.list[TICKET(a.wet.count)] = id;
    }
}
