/* Decides for every block whether the step that begins leaves it out, and lists the others. */
#include "num/wetness.h"

NO_TILES;

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
