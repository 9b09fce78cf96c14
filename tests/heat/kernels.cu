/* Heat in a plate: central differences in space; with ADDS a step of that in time. Kernels call the first unknown
 * eta, the next ones hu and hv: struct fields in args.h. */
#include "args.h"

#ifndef DIFFUSIVITY
#define DIFFUSIVITY 1 /* m2/s; --define DIFFUSIVITY=0.1 */
#endif

NO_TILES;

/* EDIT THIS: the rate of change, and the bound from which the time step follows. */
#if !ADDS
KERNEL(heat, struct flux_args)
{
    (void)t;
    if (a.clock->halt)
        return;
    const real x = REAL(DIFFUSIVITY) * square(a.p.inv_dx);
    const real y = REAL(DIFFUSIVITY) * square(a.p.inv_dy);
    FOR_TILE(i, j, 0, 0) {
        const long k = at(a.pitch, X0 + i, Y0 + j);
        const real *u = a.q.eta + k;
        a.r.eta[k] = x * ((u[-1] + u[1]) - REAL(2) * u[0]) +
                     y * ((u[-a.pitch] + u[a.pitch]) - REAL(2) * u[0]);
    }
    ONCE a.block_speed[BLOCK_ID] = bits_of(REAL(2) * (x + y)); /* dt: the Courant number over that */
}
#else
KERNEL(heat, struct rk_args)
{
    (void)t;
    if (a.clock->halt)
        return;
    FOR_TILE(i, j, 0, 0) {
        const long k = at(a.pitch, X0 + i, Y0 + j);
        a.to.eta[k] = a.from.eta[k] + step_length(a.clock) * a.r.eta[k];
    }
}
#endif
