/* A substep of a Runge-Kutta scheme in the form of Shu and Osher (1988): the new state is
 *
 *     KEEP base + (1 - KEEP) (from + PART dt R(from)),
 *
 * `base` being the state at the start of the step. Friction is that of rk.cu (paper III eq. 10), with
 * the share of dt that this substep adds. `to` may be `from` or `base`. */
#ifndef PART
#define PART 1
#endif
#define SUBSTEP 1 /* for num/update.h: of it only friction_rate and dried are used */
#include "num/update.h"
#ifdef WITH_TRACER
#include "num/tracer.h"
#endif /* WITH_TRACER */

#ifdef TILED
#include "num/moves.h"
#include "tile_push.h"
#endif /* TILED */
TILES
{
    real gained[BH][BW]; /* depth added by clipping */
};

/* KEEP * base + (1 - KEEP) * euler looks the same but is not: two roundings of 1/3 and 2/3 lose momentum. */
FN real mixed(real base, real from, real r, real dt)
{
    real euler = from + dt * r;
    return euler + REAL(KEEP) * (base - euler);
}

KERNEL(ssp, struct rk_args)
{
    if (a.clock->halt || a.clock->rejected)
        return;
    const real dt = REAL(PART) * step_length(a.clock);
    const real dither = dither_of(a.clock->steps - a.back, a.stride);
    const int keeps = REAL(KEEP) != REAL(0);
#ifdef TILED
    MAX_LANES(moved);
#endif /* TILED */
    FOR_TILE(i, j, 0, 0) {
        const long k = at(a.pitch, X0 + i, Y0 + j);
        const long c = at(a.bed_pitch, X0 + i, Y0 + j);
        const real floor = floor_of(a.centre[c], a.p.still);
        struct state from, base, q;
        from.eta = a.from.eta[k];
        from.hu = a.from.hu[k];
        from.hv = a.from.hv[k];
        base.eta = keeps ? a.base.eta[k] : from.eta;
        base.hu = keeps ? a.base.hu[k] : from.hu;
        base.hv = keeps ? a.base.hv[k] : from.hv;
        const real more = (from.eta - base.eta) + dt * a.r.eta[k];
        q.eta = added(base.eta, more - REAL(KEEP) * more, dither);
        q.hu = mixed(base.hu, from.hu, a.r.hu[k], dt);
        q.hv = mixed(base.hv, from.hv, a.r.hv[k], dt);
        if (FRICTION) {
            const struct physics p = roughened(a.p, a.roughness, c);
            const real drag = friction_rate(from.eta - floor, from.hu, from.hv, p);
            const real left = inverse(REAL(1) + (REAL(1) - REAL(KEEP)) * dt * drag);
            q.hu = q.hu * left;
            q.hv = q.hv * left;
        }
        q = dried(q, floor, a.p, &t->gained[j][i]);
#ifdef TILED
        struct state rate;
        rate.eta = a.r.eta[k], rate.hu = a.r.hu[k], rate.hv = a.r.hv[k];
        if (KEEPS_MAP)
            TAKE_MAX(moved, i, moves(base, q, rate, floor, a.p.dry) ? REAL(1) : REAL(0));
#endif /* TILED */
#ifdef WITH_TRACER
        struct dye_before s;
        s.h = from.eta - floor;
        s.c = a.carried.from[k];
        s.base_h = base.eta - floor;
        s.base = keeps ? a.carried.base[k] : s.c;
#ifdef TILED
        const real dye = dye_after(s, a.carried.r[k], a.r.eta[k], q.eta - floor, REAL(KEEP), dt);
        if (KEEPS_MAP)
            TAKE_MAX(moved, i, bits_of(dye) != bits_of(s.base) || a.carried.r[k] != REAL(0) ? REAL(1) : REAL(0));
#endif /* TILED */
        a.carried.to[k] = dye_after(s, a.carried.r[k], a.r.eta[k], q.eta - floor, REAL(KEEP), dt);
#endif /* WITH_TRACER */
        a.to.eta[k] = q.eta;
        a.to.hu[k] = q.hu;
        a.to.hv[k] = q.hv;
#ifdef TILED
        PUSH_CELL(i, j, k);
#endif /* TILED */
    }

    /* Counting is rare, and phases of its own keep the one above a vector loop. The same threads
     * see the same cells: no barrier. */
    MAX_LANES(changed);
    FOR_TILE(i, j, 0, 0) {
        TAKE_MAX(changed, i, t->gained[j][i]);
    }
    const real units = a.p.units * a.p.weight;
    if (ANY(changed))
        FOR_TILE(i, j, 0, 0) {
            COUNT(a.counters + CLIPPED_IN, t->gained[j][i] * units);
#ifdef WITH_TRACER
            COUNT(a.carried.clipped, t->gained[j][i] * a.carried.to[at(a.pitch, X0 + i, Y0 + j)] *
                                         (units * (real)a.carried.scale));
#endif /* WITH_TRACER */
        }
#ifdef TILED
    PUSH_RIM;
    if (KEEPS_MAP && tiling.moved)
        BLOCK_MAX(tiling.moved[BLOCK_ID], moved);
#endif /* TILED */
}
