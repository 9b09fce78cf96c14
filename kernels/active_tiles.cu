/* Lists the tiles that the step which begins computes: those in which something may change, by what the kernels that wrote
 * the state have noted, and all that such a change can reach within a step (LISTS 1). Nothing happens in the others. What of
 * these is absent is counted; behind that (LISTS 0, one block) the clock halts where there are such, before anything is
 * computed. A step that is given up leaves its notes behind: it can only list more. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1
#endif

#include "args.h"

#include "active_tiles.h"

NO_TILES;

#if LISTS

FN int may_change(const struct active_tiles_args *a, int slot)
{
    bits moved = 0;
    for (int m = 0; m < a->maps; m++)
        for (int b = 0; b < a->map[m].blocks; b++)
            moved |= a->map[m].moved[(long)slot * a->map[m].blocks + b];
    return moved != 0;
}

FN int slot_of(const struct active_tiles_args *a, int tile)
{
    return a->slot_of ? a->slot_of[tile] : tile;
}

/* Column or row k + d of n; -1: there is none. */
FN int beside(int k, int d, int n, int around)
{
    const int to = k + d;
    return to >= 0 && to < n ? to : around ? (to % n + n) % n : -1;
}

FN int is_open(const struct active_tiles_args *a, int i, int j)
{
    return ((a->open & 1 << WEST) && i < a->rings[0]) ||
           ((a->open & 1 << EAST) && i >= a->columns - a->rings[0]) ||
           ((a->open & 1 << SOUTH) && j < a->rings[1]) ||
           ((a->open & 1 << NORTH) && j >= a->rows - a->rings[1]);
}

FN int is_reached(const struct active_tiles_args *a, int i, int j)
{
    for (int dj = -a->rings[1]; dj <= a->rings[1]; dj++)
        for (int di = -a->rings[0]; di <= a->rings[0]; di++) {
            const int x = beside(i, di, a->columns, a->around[0]);
            const int y = beside(j, dj, a->rows, a->around[1]);
            const int slot = x < 0 || y < 0 ? -1 : slot_of(a, y * a->columns + x);
            if (slot >= 0 && may_change(a, slot))
                return 1;
        }
    return 0;
}

KERNEL(active_tiles, struct active_tiles_args)
{
    (void)t;
    if (a.clock->halt)
        return;
    FOR_TILE(k, row, 0, 0) {
        const int tile = X0 + k, i = tile % a.columns, j = tile / a.columns;
        if (row > 0 || !(is_open(&a, i, j) || is_reached(&a, i, j)))
            continue;
        const int slot = slot_of(&a, tile);
        if (slot >= 0)
            a.list[TICKET(a.count)] = slot;
        else
            TICKET(a.wanted);
    }
}

#else

KERNEL(absent_tiles, struct active_tiles_args)
{
    (void)t;
    ONCE
    {
        if (!a.clock->halt && *a.wanted > 0)
            a.clock->halt = AT_PAUSE;
    }
}

#endif
