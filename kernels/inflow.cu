/* Adds up what enters through each position of the rim. Every position has a sum of its own, in
 * double precision, so that the result does not depend on the blocks. */
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
        a.sum[k] += (inwards ? dt : -dt) * (double)a.rim[k];
    }
}
