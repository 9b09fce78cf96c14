/* Adds up what enters through each position of the rim. Every position has a sum of its own, in
 * double precision, so that the result does not depend on the blocks; compensated (Kahan), because a
 * channel may be flushed many times over in a hundred thousand steps. */
#include "args.h"

NO_TILES;

KERNEL(inflow, struct inflow_args)
{
    (void)t;
    if (a.clock->halt || a.clock->rejected)
        return;
    const double dt = a.clock->dt * (double)a.p.weight;
    FOR_TILE(i, j, 0, 0) {
        const int k = X0 + i, south = 2 * a.ny;
        const int inwards = k < a.ny || (k >= south && k < south + a.nx);
        const double more = (inwards ? dt : -dt) * (double)a.rim[k] - a.lost[k];
        const double sum = a.sum[k] + more;
        a.lost[k] = (sum - a.sum[k]) - more;
        a.sum[k] = sum;
    }
}
