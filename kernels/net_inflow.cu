/* Adds up the inflow through each position of the rim: in total, and, in two more arrays behind those, over
 * the steps in which water enters there. Every position has its own sums, in double precision, so that the
 * result does not depend on the blocks; compensated (Kahan), because a channel may be flushed many times over
 * in a hundred thousand steps. */
#include "args.h"

NO_TILES;

FN void add(double *sum, double *lost, double term)
{
    const double more = term - *lost, old = *sum;
    *sum = old + more;
    *lost = (*sum - old) - more;
}

KERNEL(inflow, struct inflow_args)
{
    (void)t;
    if (a.clock->halt || a.clock->rejected)
        return;
    const double dt = a.clock->dt * (double)a.p.weight;
    const int behind = 4 * (a.nx + a.ny);
    FOR_TILE(i, j, 0, 0) {
        const int k = X0 + i, south = 2 * a.ny;
        const int inwards = k < a.ny || (k >= south && k < south + a.nx);
        const double enters = (inwards ? dt : -dt) * (double)a.rim[k];
        add(&a.sum[k], &a.lost[k], enters);
        add(&a.sum[behind + k], &a.lost[behind + k], enters > 0 ? enters : 0);
    }
}
