/* Kernels that change R in a wrong way each, after the flux kernel: see mistakes.c. */
#include "args.h"

TILES
{
    real w[BH + 2][BW + 2];
};

KERNEL(mistake, struct flux_args)
{
    if (a.clock->halt)
        return;
#if WHICH == 5 /* between these two phases a SYNC is missing */
    FOR_TILE(i, j, 2, 2) {
        t->w[j][i] = a.q.eta[at(a.pitch, X0 + i - 1, Y0 + j - 1)];
    }
#endif
    FOR_TILE(i, j, 0, 0) {
        const long k = at(a.pitch, X0 + i, Y0 + j), m = at(a.bed_pitch, X0 + i, Y0 + j);
#if WHICH == 1 /* three cells away, where two ghost cells are filled */
        a.r.hu[k] += REAL(1e-3) * (max2(a.q.eta[k + 3], REAL(-9)) - max2(a.q.eta[k - 3], REAL(-9)));
        (void)m;
#elif WHICH == 2 /* water is lost where it rises or falls */
        a.r.eta[k] -= REAL(1e-4) * abs1(a.r.eta[k]);
        (void)m;
#elif WHICH == 3 /* the eastern neighbour counts, the western does not */
        a.r.hu[k] += REAL(0.01) * (a.q.hu[k + 1] - a.q.hu[k]);
        (void)m;
#elif WHICH == 4 /* the bed's slope pushes once more */
        a.r.hu[k] += REAL(1e-3) * (a.ground.corner[m] - a.ground.corner[m + 1]);
#elif WHICH == 6 /* the cell across a corner */
        a.r.hu[k] += REAL(1e-3) * (max2(a.q.eta[k - a.pitch - 1], REAL(-9)) - a.q.eta[k]);
        (void)m;
#else
        real here = t->w[j + 1][i + 1];
        real x = (t->w[j + 1][i] - here) + (t->w[j + 1][i + 2] - here);
        real y = (t->w[j][i + 1] - here) + (t->w[j + 2][i + 1] - here);
        a.r.hu[k] += REAL(0) * (x + y);
        (void)m;
#endif
    }
}
