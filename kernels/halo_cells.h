/* How one cell goes to another part, and arrives. Across a periodic edge the receiver adjusts the first unknown, the
 * level above the one at rest, to the ground there, as ghosts.h does: `rise` is how much lower the level at rest lies
 * there, `floor` the value in a dry cell. */
#ifndef SHOAL_HALO_CELLS_H
#define SHOAL_HALO_CELLS_H

#include "halo.h"

#if !defined(__cplusplus)
_Static_assert((int)HALO_UNKNOWNS == (int)MOST_RECEIVED, "receive() takes all unknowns of a cell");
#endif

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

/* The index of a cell's first unknown among a rectangle's numbers; the offset of the cell. */
struct halo_place {
    long cell, number;
};

FN struct halo_place place_in(const struct halo_rect *rect, int k)
{
    const int m = k - rect->before, x = m % rect->nx, y = m / rect->nx;
    const struct halo_place p = {rect->first + x * rect->along_x + y * rect->along_y,
                                 (long)y * rect->row + x};
    return p;
}

/* All unknowns are loaded before one is stored, so that their latencies overlap. */
FN void send_cell(const struct exchange *a, int k, unsigned round)
{
    const struct halo_rect *const rect = rect_of(&a->sent, k);
    const struct halo_place at = place_in(rect, k);
    real q[HALO_UNKNOWNS];
    UNROLL(4)
    for (int u = 0; u < HALO_UNKNOWNS; u++)
        q[u] = u < a->unknowns ? a->unknown[u][at.cell] : REAL(0);
    UNROLL(4)
    for (int u = 0; u < HALO_UNKNOWNS; u++) {
        const long n = (long)u * rect->n + at.number;
        if (u < a->unknowns && rect->buffer)
            rect->buffer[n] = q[u];
        else if (u < a->unknowns)
            send(&rect->words[round & 1][WORDS * n], bits_of(q[u]), round);
    }
}

FN void receive_cell(const struct exchange *a, int k, unsigned round)
{
    const struct halo_rect *const rect = rect_of(&a->received, k);
    const struct halo_place at = place_in(rect, k);
    bits pattern[HALO_UNKNOWNS];
    if (!rect->buffer)
        receive(pattern, &rect->words[round & 1][WORDS * at.number], a->unknowns,
                (long)WORDS * rect->n, round, &a->rounds, &a->clock->halt);
    UNROLL(4)
    for (int u = 0; u < HALO_UNKNOWNS; u++) {
        if (u >= a->unknowns)
            continue;
        real q = rect->buffer ? rect->buffer[(long)u * rect->n + at.number] : real_of(pattern[u]);
        if (u == 0 && rect->rise)
            q = max2(q + rect->rise[at.number], rect->floor[at.number]);
        if (a->rise && rect->around_x)
            q += (real)rect->around_x * a->rise[u];
        if (a->rise && rect->around_y)
            q += (real)rect->around_y * a->rise[HALO_UNKNOWNS + u];
        a->unknown[u][at.cell] = q;
    }
}

#endif
