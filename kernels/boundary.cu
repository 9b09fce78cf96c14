/* Fills the two ghost cells outside every edge of the domain (paper III, "boundary conditions"):
 * a wall mirrors the cells inside and turns the normal discharge round, an open edge repeats the
 * last cell, a periodic one takes the cells from the opposite edge. TRANSPOSED: the state is stored
 * the other way round, the bed is not. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* its index arithmetic takes registers, and it is a small part of a step */
#endif

#include "args.h"
#include "num/depth.h"

#ifndef TRANSPOSED
#define TRANSPOSED 0
#endif

NO_TILES;

KERNEL(boundary, struct boundary_args)
{
    (void)t;
    if (a.clock->halt)
        return;
    FOR_TILE(i, j, 0, 0) {
        /* Position s on edge e, which is n cells from the opposite edge; `out` leads outwards. */
        int s = X0 + i, e = WEST;
        for (int sides = a.ny; e < NORTH && s >= sides; sides = e < SOUTH ? a.ny : a.nx) {
            s -= sides;
            e++;
        }
        const int vertical = e <= EAST, low = e == WEST || e == SOUTH;
        const int n = vertical ? a.nx : a.ny;
        const long step = vertical ? 1 : a.pitch, along = vertical ? a.pitch : 1;
        const long out = low ? -step : step;
        const long last = s * along + (low ? 0 : (n - 1) * step); /* the edge's own cell */
        for (int ghost = 1; ghost <= GHOSTS; ghost++) {
            /* With one cell between the edges the second ghost is that cell mirrored twice. */
            const int mirrored = n > 1 ? ghost - 1 : 0, twice = n == 1 && ghost == 2;
            const long to = last + ghost * out;
            const long from = a.kind[e] == WALL     ? last - mirrored * out
                              : a.kind[e] == OPEN   ? last
                                                    : to - n * (ghost > n ? 2 : 1) * out;
            const real turn = a.kind[e] == WALL && !twice ? REAL(-1) : REAL(1);
            real hu = a.q.hu[from], hv = a.q.hv[from], w = a.q.w[from];
            const int x = vertical ? (low ? -ghost : a.nx - 1 + ghost) : s;
            const int y = vertical ? s : (low ? -ghost : a.ny - 1 + ghost);
            const long b = TRANSPOSED ? at(a.bed_pitch, y, x) : at(a.bed_pitch, x, y);
            real bed = bed_at_centre(a.bed[b], a.bed[b + 1], a.bed[b + a.bed_pitch],
                                     a.bed[b + a.bed_pitch + 1]);
            a.q.w[to] = max2(w, bed);
            a.q.hu[to] = vertical ? turn * hu : hu;
            a.q.hv[to] = vertical ? hv : turn * hv;
        }
    }
}
