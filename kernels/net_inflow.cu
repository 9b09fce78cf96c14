/* Adds up the inflow through each position of the rim: in total, and, in two more arrays behind those, over
 * the steps in which water enters there. Every position has its own sums, in double precision, so that the
 * result does not depend on the blocks; compensated (Kahan), because a channel may be flushed many times over
 * in a hundred thousand steps. */
#include "args.h"

#include "rim_sums.h"

NO_TILES;

KERNEL(inflow, struct inflow_args)
{
    (void)t;
    if (a.clock->halt || a.clock->rejected)
        return;
    const double dt = a.clock->dt * (double)a.p.weight;
    const int behind = 4 * (a.nx + a.ny);
    FOR_TILE(i, j, 0, 0) {
        const int k = X0 + i;
        const struct crossing c = crossing_at(a.sum, a.lost, behind, k);
        keep_crossing(a.sum, a.lost, behind, k, crossed(c, a.nx, a.ny, k, dt, a.rim[k]));
    }
}
