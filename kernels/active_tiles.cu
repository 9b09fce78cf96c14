/* Lists the tiles that the coming step computes: those in which something may change, as recorded by the kernels
 * that wrote the state, and all that such a change can reach within a step. Nothing changes in the others. If
 * absent tiles are among them the clock halts before the step computes anything. A rejected step leaves its
 * records behind, which can only lengthen the list. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1
#endif

#include "args.h"

#include "active_tiles.h"
#include "last_block.h"

NO_TILES;

FN void list_tile(const struct active_tiles_args *a, int slot)
{
    if (slot < 0) {
        TICKET(&a->counts->wanted);
        return;
    }
    a->list[TICKET(&a->counts->found)] = slot;
    COUNT(&a->counts->cells, (real)(a->place[slot].nx * a->place[slot].ny));
}

/* Once all tiles are listed. */
FN void end_list(const struct active_tiles_args *a)
{
    struct tile_counts *const n = a->counts;
    if (n->wanted > 0) {
        a->clock->halt = AT_PAUSE;
    } else if (a->totals) {
        a->totals->passes++;
        a->totals->cells += n->cells;
    }
    n->listed = n->found;
    n->found = n->wanted = 0;
    n->cells = 0;
}

KERNEL(active_tiles, struct active_tiles_args)
{
    (void)t;
    if (a.clock->halt)
        return;
    FOR_TILE(k, row, 0, 0) {
        const int tile = X0 + k, i = tile % a.columns, j = tile / a.columns;
        if (row == 0 && (is_open(&a, i, j) || is_reached(&a, i, j)))
            list_tile(&a, slot_of(&a, tile));
    }
    SYNC;
    ONCE
    {
        if (is_last_block(&a.counts->come, BLOCKS_X))
            end_list(&a);
    }
}
