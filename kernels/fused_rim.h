/* Sends a block's cells along the sides of its part, once they are stored, to the ghost cells of other parts: they are
 * on their way before the kernel that takes them in begins. fused.cu includes it where MEETING is defined. */
#ifndef SHOAL_FUSED_RIM_H
#define SHOAL_FUSED_RIM_H

#include "meeting.h"

/* Who shares the cells, and how many each loads before it sends one, so that their latencies overlap. */
#if defined(__CUDACC__) || defined(EMULATE)
#define SHARES  ROW_THREADS
#define SHARE   warp.thread
#define AT_ONCE 4
#else
#define SHARES  1
#define SHARE   0
#define AT_ONCE 1
#endif

#ifdef WITH_TRACER
#define RIM_UNKNOWNS 4
#else
#define RIM_UNKNOWNS 3
#endif

/* Cells of a block among those of a rectangle: the first, in the rectangle and in the part, and their extent. */
struct overlap {
    long number, cell;
    int nx, cells;
};

FN struct overlap overlap_of(const struct march *m, const struct halo_rect *rect, long pitch)
{
    const int west = m->x > rect->i0 ? m->x : rect->i0;
    const int south = m->y > rect->j0 ? m->y : rect->j0;
    const int east = m->x + m->w < rect->i0 + rect->nx ? m->x + m->w : rect->i0 + rect->nx;
    const int north = m->y + m->h < rect->j0 + rect->ny ? m->y + m->h : rect->j0 + rect->ny;
    struct overlap o;
    o.number = (long)(south - rect->j0) * rect->row + west - rect->i0;
    o.cell = at(pitch, west, south);
    o.nx = east - west;
    o.cells = east > west && north > south ? o.nx * (north - south) : 0;
    return o;
}

FN void take_for_rim(real *q, const struct fused_args *a, long k)
{
    q[0] = a->to.eta[k];
    q[1] = a->to.hu[k];
    q[2] = a->to.hv[k];
#ifdef WITH_TRACER
    q[3] = a->carried.to[k];
#endif /* WITH_TRACER */
}

FN void send_overlap(const struct warp warp, const struct march *m, const struct fused_args *a,
                     const struct halo_rect *rect, unsigned round)
{
    const struct overlap o = overlap_of(m, rect, a->pitch);
    word *const to = rect->words[round & 1] + WORDS * o.number;
    for (int first = SHARE; first < o.cells; first += AT_ONCE * SHARES) {
        real q[AT_ONCE][RIM_UNKNOWNS];
        UNROLL(4)
        for (int n = 0; n < AT_ONCE; n++) {
            const int k = first + n * SHARES;
            if (k < o.cells)
                take_for_rim(q[n], a, o.cell + at(a->pitch, k % o.nx, k / o.nx));
        }
        UNROLL(4)
        for (int n = 0; n < AT_ONCE; n++) {
            const int k = first + n * SHARES;
            const long number = (long)(k / o.nx) * rect->row + k % o.nx;
            UNROLL(4)
            for (int u = 0; u < RIM_UNKNOWNS && k < o.cells; u++)
                send(to + WORDS * ((long)u * rect->n + number), bits_of(q[n][u]), round);
        }
    }
}

/* Cells up to HALO from a side may be in a rectangle. */
FN int lies_inside(const struct march *m, const struct span all)
{
    return m->x >= HALO && m->y >= HALO && m->x + m->w <= all.nx - HALO &&
           m->y + m->h <= all.ny - HALO;
}

/* Other threads of the block have stored some of the cells. The first block notes that all send theirs. */
#define SEND_RIM(m, a, with)                                             \
    do {                                                                 \
        if ((with).sent.count == 0 || lies_inside(&(m), (a).span))       \
            break;                                                       \
        const unsigned round = this_round(&(with).rounds);               \
        SYNC;                                                            \
        for (int n = 0; n < (with).sent.count; n++)                      \
            send_overlap(warp, &(m), &(a), &(with).sent.rect[n], round); \
        if ((m).x == 0 && (m).y == 0)                                    \
            ONCE note_sent(&(with).rounds);                              \
    } while (0)

#endif
