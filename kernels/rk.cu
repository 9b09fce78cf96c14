/* One substep of the second-order Runge-Kutta scheme (thesis eq. 2.4; with friction, paper III
 * eq. 10). Substep 0 is the Euler step Q* = Q + dt R(Q); substep 1 averages: (Q + Q* + dt R(Q*))/2.
 * `to` may be `from` or `base`. */
#include "num/update.h"

TILES
{
    real gained[BH][BW]; /* depth added by clipping, or removed by drying */
};

/* The new value of one variable. */
FN real advanced(real base, real from, real r, real dt)
{
    return SUBSTEP == 0 ? from + dt * r : REAL(0.5) * (base + (from + dt * r));
}

KERNEL(rk, struct rk_args)
{
    if (a.clock->halt)
        return;
    const real dt = step_length(a.clock);
    FOR_TILE(i, j, 0, 0) {
        long k = at(a.pitch, X0 + i, Y0 + j);
        real bed = bed_at_centre(a.bed[k], a.bed[k + 1], a.bed[k + a.pitch], a.bed[k + a.pitch + 1]);
        real w = a.from.w[k], hu = a.from.hu[k], hv = a.from.hv[k];
        real bw = SUBSTEP == 0 ? w : a.base.w[k];
        real bhu = SUBSTEP == 0 ? hu : a.base.hu[k];
        real bhv = SUBSTEP == 0 ? hv : a.base.hv[k];
        struct state q;
        q.w = advanced(bw, w, a.r.w[k], dt);
        q.hu = advanced(bhu, hu, a.r.hu[k], dt);
        q.hv = advanced(bhv, hv, a.r.hv[k], dt);
        if (FRICTION) {
            real rate = friction_rate(w - bed, hu, hv, a.p);
            real slow = REAL(1) + (SUBSTEP == 0 ? dt : REAL(0.5) * dt) * rate;
            q.hu = q.hu / slow;
            q.hv = q.hv / slow;
        }
        q = dried(q, bed, a.p, &t->gained[j][i]);
        a.to.w[k] = q.w;
        a.to.hu[k] = q.hu;
        a.to.hv[k] = q.hv;
    }
    /* Counting is rare, and phases of its own keep the one above a vector loop. The same threads
     * see the same cells: no barrier. */
    MAX_LANES(changed);
    FOR_TILE(i, j, 0, 0) {
        TAKE_MAX(changed, i, abs1(t->gained[j][i]));
    }
    const real units = a.p.units * a.p.weight;
    if (ANY(changed))
        FOR_TILE(i, j, 0, 0) {
            COUNT(a.counters + CLIPPED_IN, positive(t->gained[j][i]) * units);
            COUNT(a.counters + DRIED_OUT, positive(-t->gained[j][i]) * units);
        }
}
