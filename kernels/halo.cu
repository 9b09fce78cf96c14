/* Packs cells of a part for its neighbours, or (UNPACK) copies what they packed into its ghost cells. Across a
 * periodic edge it adjusts the first unknown, the level above the one at rest, to the ground there, as ghosts.h
 * does: `rise` is how much lower the level at rest lies there, `floor` the value in a dry cell. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* as in boundary.cu */
#endif

#include "args.h"
#include "halo.h"

NO_TILES;

KERNEL(halo, struct halo_args)
{
    (void)t;
    if (a.clock->halt)
        return;
    FOR_TILE(i, j, 0, 0) {
        const int k = X0 + i;
        int r = 0, behind = a.rects;
        while (behind - r > 1) {
            const int middle = (r + behind) / 2;
            if (k >= a.rect[middle].before)
                r = middle;
            else
                behind = middle;
        }
        const struct halo_rect *const rect = &a.rect[r];
        const int m = k - rect->before, place = m / rect->nx * rect->row + m % rect->nx;
        const long cell =
            rect->first + m % rect->nx * rect->along_x + m / rect->nx * rect->along_y;
        for (int u = 0; u < a.unknowns; u++) {
            real *const way = &rect->buffer[a.turn][(long)u * rect->n + place];
#if UNPACK
            a.unknown[u][cell] =
                u == 0 && rect->rise ? max2(*way + rect->rise[place], rect->floor[place]) : *way;
            if (a.rise && rect->around_x)
                a.unknown[u][cell] += (real)rect->around_x * a.rise[u];
            if (a.rise && rect->around_y)
                a.unknown[u][cell] += (real)rect->around_y * a.rise[HALO_UNKNOWNS + u];
#else
            *way = a.unknown[u][cell];
#endif
        }
    }
}
