/* Lists the tiles that the coming step computes (LISTS 1): those in which something may change, as recorded
 * by the kernels that wrote the state, and all that such a change can reach within a step. Nothing changes in
 * the others. Counts the absent tiles among them; afterwards (LISTS 0, one block) the clock halts if there
 * are any, before the step computes anything. A rejected step leaves its records behind, which can only
 * lengthen the list. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1
#endif

#include "args.h"

#include "active_tiles.h"

NO_TILES;

#if LISTS

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
        if (slot < 0) {
            TICKET(a.wanted);
            continue;
        }
        a.list[TICKET(a.count)] = slot;
        COUNT(a.cells, (real)(a.place[slot].nx * a.place[slot].ny));
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
        if (!a.clock->halt) {
            a.totals->passes++;
            a.totals->cells += *a.cells;
        }
    }
}

#endif
