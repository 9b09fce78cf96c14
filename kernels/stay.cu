/* Copies the old state to the new one if a pass made no step: a scheme whose states change places
 * (schemes/README.md) continues from the new one. In tiles that includes the copies which the pass has stored in
 * the neighbours' ghost cells. */
#define BLOCK_THREADS 256
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* usually it only reads the clock */
#endif

#include "args.h"

#include "hancock.h"
#ifdef FILLS_GHOSTS
#include "linked_clock.h"

#define MORE own_ghosts
#define PREPARE(all, x, y)                                                      \
    BESIDE_LINKED_CLOCK(all, x, y, end_passes, (all)->args.place)               \
    const struct clock now =                                                    \
        clock_behind((all)->args.linked, (all)->args.place, (all)->args.clock); \
    struct stay_args seen = (all)->args;                                        \
    seen.clock = &now
#define PREPARED(all) seen
#include "kernel_with_more.h"
#endif /* FILLS_GHOSTS */

NO_TILES;

/* No load waits for a store. */
FN void keep_cell(const struct stay_args *a, long from, long to)
{
    const real eta = a->from.eta[from], hu = a->from.hu[from], hv = a->from.hv[from];
    const real rates = a->rates[from];
    a->to.eta[to] = eta;
    a->to.hu[to] = hu;
    a->to.hv[to] = hv;
    a->new_rates[to] = rates;
}

#ifdef TILED
#include "tile_ways.h"

/* Cell (i, j) of a tile, at offset k, also where the pass has stored it in neighbours' ghost cells. */
FN void keep_copies(const struct stay_args *a, const struct tiling *t, const struct tile_place here,
                    int i, int j, long k)
{
    for (int d = 0; t->neighbour && d < TILE_SIDES; d++) {
        const long way = is_copied(here, d, i, j) ? way_to(t, here.slot, d, a->pitch) : 0;
        if (way)
            keep_cell(a, k, k + way);
    }
}
#endif /* TILED */

KERNEL(stay, struct stay_args)
{
    (void)t;
    if (a.clock->halt == RUNNING && !a.clock->rejected)
        return;
    FOR_TILE (i, j, 0, 0) {
        const long k = at(a.pitch, X0 + i, Y0 + j);
        keep_cell(&a, k, k);
#ifdef TILED
        keep_copies(&a, &tiling, here, X0 + i, TILE_Y0 + j, k);
#endif /* TILED */
    }
}
