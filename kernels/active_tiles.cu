/* Lists the tiles that the coming step computes: those in which something may change, as recorded by the kernels
 * that wrote the state, and all that such a change can reach within a step. Nothing changes in the others. If
 * absent tiles are among them, or launches have no blocks for so many, the clock halts before the step computes anything. A rejected step leaves its
 * records behind, which can only lengthen the list. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1
#endif

#include "args.h"

#include "active_tiles.h"
#include "last_block.h"

TILES
{
    int reached[BW]; /* by changes in how many tiles around */
};

/* Tiles along shores take the longest, so these begin first: changes do not reach them from all around. They are listed
 * downwards from the middle of the list, all others upwards. `inner`: changes do. */
FN void list_tile(const struct active_tiles_args *a, int slot, int inner)
{
    struct tile_counts *const n = a->counts;
    const int middle = a->span.nx;
    if (slot < 0) {
        TICKET(&n->wanted);
        return;
    }
    const int cells = a->place[slot].nx * a->place[slot].ny;
    a->list[inner ? middle + TICKET(&n->inner) : middle - 1 - TICKET(&n->outer)] = slot;
    COUNT(&n->missing, (real)(a->cells - cells));
}

/* Once all tiles are listed. */
FN void end_list(const struct active_tiles_args *a)
{
    struct tile_counts *const n = a->counts;
    n->listed.first = a->span.nx - n->outer;
    n->listed.count = n->inner + n->outer;
    if (n->wanted > 0 || n->listed.count > a->most) {
        a->clock->halt = AT_PAUSE;
    } else if (a->totals) {
        a->totals->passes++;
        a->totals->cells += (counter)n->listed.count * (counter)a->cells - n->missing;
    }
    n->inner = n->outer = n->wanted = 0;
    n->missing = 0;
}

KERNEL(active_tiles, struct active_tiles_args)
{
    if (a.clock->halt)
        return;
    FOR_SPAN(k, BW) {
        t->reached[k] = 0;
    }
    SYNC;
    /* On a GPU one thread looks at one of the tiles around one: latencies overlap. */
    FOR_SPAN(m, BW * tiles_around(&a)) {
        const int k = m % BW, tile = X0 + k;
        if (k < CELLS_X && is_reached_from(&a, tile % a.columns, tile / a.columns, m / BW))
            TICKET(&t->reached[k]);
    }
    SYNC;
    FOR_TILE(k, row, 0, 0) {
        const int tile = X0 + k;
        if (t->reached[k] || is_open(&a, tile % a.columns, tile / a.columns))
            list_tile(&a, slot_of(&a, tile), t->reached[k] == tiles_around(&a));
    }
    SYNC;
    ONCE
    {
        if (is_last_block(&a.counts->come, BLOCKS_X))
            end_list(&a);
    }
}
