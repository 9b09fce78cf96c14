/* Adds a case's forcing, for example rain, to the rate of change R. */
#include "args.h"
#ifdef WITH_TRACER
#include "num/tracer.h"
#endif /* WITH_TRACER */

NO_TILES;

KERNEL(forcing, struct forcing_args)
{
    (void)t;
    if (a.clock->halt)
        return;
    FOR_TILE(i, j, 0, 0) {
        const long k = at(a.pitch, X0 + i, Y0 + j);
#ifdef WITH_TRACER
        const real h = depth_of(a.carried.eta[k], a.carried.centre[k], a.p.still);
        a.carried.r[k] = dye_diluted(a.carried.r[k], a.carried.from[k], h > REAL(0), a.r.eta[k],
                                     a.force.eta[k]);
#endif /* WITH_TRACER */
        a.r.eta[k] = a.r.eta[k] + a.force.eta[k];
        a.r.hu[k] = a.r.hu[k] + a.force.hu[k];
        a.r.hv[k] = a.r.hv[k] + a.force.hv[k];
    }
}
