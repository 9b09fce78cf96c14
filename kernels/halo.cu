/* Packs cells of a part for its neighbours, and copies what they have packed into its ghost cells. On devices
 * that reach each other's memory a part packs straight into its neighbours' buffers and raises a flag there; where
 * a kernel can wait, one launch does it all. Across a periodic edge unpacking adjusts the first unknown, the level
 * above the one at rest, to the ground there, as ghosts.h does: `rise` is how much lower the level at rest lies
 * there, `floor` the value in a dry cell. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* as in boundary.cu */
#endif

#include "args.h"
#include "halo.h"

NO_TILES;

/* The rectangle of cell k. */
FN const struct halo_rect *rect_of(const struct halo_rects *list, int k)
{
    int r = 0, behind = list->count;
    while (behind - r > 1) {
        const int middle = (r + behind) / 2;
        if (k >= list->rect[middle].before)
            r = middle;
        else
            behind = middle;
    }
    return &list->rect[r];
}

/* A cell of a rectangle: where its first unknown's number lies in a buffer; the offset of the cell. */
struct halo_place {
    long cell;
    int place;
};

FN struct halo_place place_in(const struct halo_rect *rect, int k)
{
    const int m = k - rect->before;
    const struct halo_place p = {rect->first + m % rect->nx * rect->along_x +
                                     m / rect->nx * rect->along_y,
                                 m / rect->nx * rect->row + m % rect->nx};
    return p;
}

FN void pack(const struct halo_args *a, int k)
{
    const struct halo_rect *const rect = rect_of(&a->packed, k);
    const struct halo_place at = place_in(rect, k);
    for (int u = 0; u < a->unknowns; u++)
        rect->buffer[a->turn][(long)u * rect->n + at.place] = a->unknown[u][at.cell];
}

FN void unpack(const struct halo_args *a, int k)
{
    const struct halo_rect *const rect = rect_of(&a->unpacked, k);
    const struct halo_place at = place_in(rect, k);
    for (int u = 0; u < a->unknowns; u++) {
        const real q = rect->buffer[a->turn][(long)u * rect->n + at.place];
        real *const to = &a->unknown[u][at.cell];
        *to = u == 0 && rect->rise ? max2(q + rect->rise[at.place], rect->floor[at.place]) : q;
        if (a->rise && rect->around_x)
            *to += (real)rect->around_x * a->rise[u];
        if (a->rise && rect->around_y)
            *to += (real)rect->around_y * a->rise[HALO_UNKNOWNS + u];
    }
}

KERNEL(halo, struct halo_args)
{
    (void)t;
    if (a.clock->halt)
        return;
    if (a.tasks & PACKS) {
        FOR_TILE(i, j, 0, 0) {
            for (int k = X0 + i; k < a.packed.cells; k += a.span.nx)
                pack(&a, k);
        }
    }
    SYNC;
    ONCE {
        if (!flags_meet(&a.flags, a.tasks))
            a.clock->halt = LOST;
    }
    SYNC;
    if (a.tasks & UNPACKS) {
        FOR_TILE(i, j, 0, 0) {
            for (int k = X0 + i; k < a.unpacked.cells; k += a.span.nx)
                unpack(&a, k);
        }
    }
}
