/* Keeps, for each cell, the largest hazard to people in flood water: depth times (speed + 0.5), plus what
 * debris adds, all at the same moment. Defra and Environment Agency, Flood Risks to People, FD2321/TR1, 2006. */
#define BLOCK_THREADS 256
#include "args.h"
#include "hazard.h"
#include "num/depth.h"
#include "sampling.h"

NO_TILES;

FN void look(const struct hazard_args *a, long k)
{
    const real h = positive(depth_of(a->q.eta[k], a->centre[k], a->p.still));
    if (!(h > a->p.dry))
        return;
    const real f = inverse_depth(h, a->p.kappa4);
    const real u = f * a->q.hu[k], v = f * a->q.hv[k];
    const real speed = root(u * u + v * v);
    const int moves = h > REAL(HAZARD_FLOATS) || speed > REAL(HAZARD_SWEEPS);
    const real hazard = h * (speed + REAL(0.5)) + (moves ? a->p.weight : REAL(0));
    if (hazard > a->most[k])
        a->most[k] = hazard;
}

KERNEL(hazard, struct hazard_args)
{
    (void)t;
    if (!is_due(a.clock, a.when, a.every))
        return;
    FOR_TILE(i, j, 0, 0) {
        look(&a, at(a.pitch, X0 + i, Y0 + j));
    }
}
