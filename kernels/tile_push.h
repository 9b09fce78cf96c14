/* What kernels by cells store in tiles besides their own cells: copies of a tile's rim in the ghost cells of the
 * tiles around, of the new state (`to` of struct rk_args). In the phase that stores cell (i, j) of the block at offset k, and
 * after all phases:
 *
 *     PUSH_CELL(i, j, k);
 *     PUSH_RIM;
 *
 * The first does it on a GPU, where other threads hide what it waits for; the second on a CPU, where the phase is a vector
 * loop. */
#ifndef SHOAL_TILE_PUSH_H
#define SHOAL_TILE_PUSH_H

#include "tile_ways.h"

FN void push_cell(const struct rk_args *a, long k, long way)
{
    a->to.eta[k + way] = a->to.eta[k];
    a->to.hu[k + way] = a->to.hu[k];
    a->to.hv[k + way] = a->to.hv[k];
#ifdef WITH_TRACER
    a->carried.to[k + way] = a->carried.to[k];
#endif /* WITH_TRACER */
}

#ifdef ON_CPU
/* Cells first, first + 1, ... of a tile, in x or in y. */
struct stretch {
    int first, count;
};

/* Cells of a block (`first`, `count`) that lie within GHOSTS of its tile's low (side 0) or high end (2), or any of them (1). */
FN struct stretch stretch_to(int side, int tile, int first, int count)
{
    const int low = side == 2 && tile - GHOSTS > first ? tile - GHOSTS : first;
    const int end = first + count, high = side == 0 && GHOSTS < end ? GHOSTS : end;
    const struct stretch s = {low, high > low ? high - low : 0};
    return s;
}

#define PUSH_CELL(i, j, k) (void)0
#define PUSH_RIM                                                                       \
    if (tiling.neighbour) {                                                            \
        SYNC;                                                                          \
        for (int side = 0; side < TILE_SIDES; side++) {                                \
            const struct stretch x = stretch_to(side % 3, here.nx, X0, CELLS_X);       \
            const struct stretch y = stretch_to(side / 3, here.ny, TILE_Y0, CELLS_Y);  \
            if (side == TILE_SIDES / 2 || x.count * y.count == 0)                      \
                continue;                                                              \
            const long way = way_to(&tiling, here.slot, side, a.pitch);                \
            const long from = at(a.pitch, x.first, here.slot * tiling.rows + y.first); \
            FOR_SPAN (m, way ? x.count * y.count : 0) {                                \
                push_cell(&a, from + m / x.count * a.pitch + m % x.count, way);        \
            }                                                                          \
        }                                                                              \
    }                                                                                  \
    (void)0
#else
FN void push_copies(const struct rk_args *a, const struct tiling *t, const struct tile_place here,
                    int i, int j, long k)
{
    if (i >= GHOSTS && i < here.nx - GHOSTS && j >= GHOSTS && j < here.ny - GHOSTS)
        return;
#if defined(WITH_TRACER) || (defined(RATES) && RATES == 2)
    UNROLL(1) /* nine offsets at once take more registers than these leave */
#endif
    for (int side = 0; t->neighbour && side < TILE_SIDES; side++) {
        const long way = is_copied(here, side, i, j) ? way_to(t, here.slot, side, a->pitch) : 0;
        if (way)
            push_cell(a, k, way);
    }
}

#define PUSH_CELL(i, j, k) push_copies(&a, &tiling, here, X0 + (i), TILE_Y0 + (j), k)
#define PUSH_RIM           (void)0
#endif /* ON_CPU */

#endif
