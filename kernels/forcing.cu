/* Adds what a case forces on the flow, rain say, to the rate of change R. */
#include "args.h"

NO_TILES;

KERNEL(forcing, struct forcing_args)
{
    (void)t;
    if (a.clock->halt)
        return;
    FOR_TILE(i, j, 0, 0) {
        const long k = at(a.pitch, X0 + i, Y0 + j);
        a.r.eta[k] = a.r.eta[k] + a.force.eta[k];
        a.r.hu[k] = a.r.hu[k] + a.force.hu[k];
        a.r.hv[k] = a.r.hv[k] + a.force.hv[k];
    }
}
