/* One substep of time integration (thesis eq. 2.4; with friction, paper III eq. 10). SUBSTEP 0 is the Euler
 * step Q* = Q + dt R(Q); SUBSTEP 1 averages: (Q + Q* + dt R(Q*))/2. RATES 2: R is the sum of what two flux
 * kernels found. TRANSPOSING: the result may be stored transposed, through a tile. TRANSPOSED: the state is
 * stored transposed, the bed is not. `to` may be `from` or `base` where nothing is transposed. */
#ifndef RATES
#define RATES 1
#endif
#ifndef TRANSPOSING
#define TRANSPOSING 0
#endif
#ifndef TRANSPOSED
#define TRANSPOSED 0
#endif
#ifndef PADDING
#define PADDING TRANSPOSING /* keeps a tile's column out of a single bank of shared memory */
#endif

#include "num/update.h"
#ifdef WITH_TRACER
#include "num/tracer.h"
#endif /* WITH_TRACER */
#ifdef TILED
#include "tile_push.h"
#endif /* TILED */

TILES
{
    real gained[BH][BW]; /* depth added by clipping */
    real bed[TRANSPOSED ? BH : 1][BW]; /* at the cells' centres */
    real eta[TRANSPOSING ? BH : 1][BW + PADDING];
    real hu[TRANSPOSING ? BH : 1][BW + PADDING], hv[TRANSPOSING ? BH : 1][BW + PADDING];
};

/* Zero if a cell stays as it is, to the sign of its zeros, while the states around it do: with any dt, so that
 * friction too small to show in this step counts as well. The momentum that rounding gives to a dry cell on a
 * slope never has an effect. */
FN real moving(struct state before, struct state after, struct state rate, real floor, real dry)
{
    const int wet = before.eta - floor >= dry || after.eta - floor >= dry;
    const int flows = FRICTION && (before.hu != REAL(0) || before.hv != REAL(0));
    const int pushed = rate.hu != REAL(0) || rate.hv != REAL(0);
    const int changed = bits_of(after.eta) != bits_of(before.eta) ||
                        bits_of(after.hu) != bits_of(before.hu) ||
                        bits_of(after.hv) != bits_of(before.hv);
    return rate.eta != REAL(0) || (wet & (flows | pushed)) | changed ? REAL(1) : REAL(0);
}

#ifdef WITH_TRACER
/* c of a cell after the substep, which left the depth h. */
FN real dye_of(const struct rk_args *a, long k, struct state base, struct state from, real rise, real floor, real h)
{
    struct dye_before s;
    s.h = from.eta - floor;
    s.c = a->carried.from[k];
    s.base_h = base.eta - floor;
    s.base = SUBSTEP == 0 ? s.c : a->carried.base[k];
    real change = a->carried.r[k];
    if (RATES == 2)
        change = dye_changes(change, a->carried.r2[k], s.h > REAL(0), a->r.eta[k], a->r2.eta[k]);
    return dye_after(s, change, rise, h, SUBSTEP == 0 ? REAL(0) : REAL(0.5), step_length(a->clock));
}
#endif /* WITH_TRACER */

KERNEL(rk, struct rk_args)
{
    if (a.clock->halt || a.clock->rejected)
        return;
    if (EARLY_EXIT && a.wet.skip[BLOCK_ID])
        return;
    if (TRANSPOSED) {
        UNROLL(1) FOR_TRANSPOSED(i, j, 0, 0) {
            t->bed[j][i] = a.centre[at(a.bed_pitch, Y0 + j, X0 + i)];
        }
        SYNC;
    }
    const struct advance by = {step_length(a.clock), dither_of(a.clock->steps - a.back, a.stride)};
    const int turn = TRANSPOSING && a.transpose;
    MAX_LANES(active);
    UNROLL(1) FOR_TILE(i, j, 0, 0) {
        const long k = at(a.pitch, X0 + i, Y0 + j);
        const long c = at(a.bed_pitch, X0 + i, Y0 + j);
        const real floor = floor_of(TRANSPOSED ? t->bed[j][i] : a.centre[c], a.p.still);
        struct state from, base, rate, q;
        from.eta = a.from.eta[k];
        from.hu = a.from.hu[k];
        from.hv = a.from.hv[k];
        base.eta = SUBSTEP == 0 ? from.eta : a.base.eta[k];
        base.hu = SUBSTEP == 0 ? from.hu : a.base.hu[k];
        base.hv = SUBSTEP == 0 ? from.hv : a.base.hv[k];
        rate.eta = RATES == 1 ? a.r.eta[k] : a.r.eta[k] + a.r2.eta[k];
        rate.hu = RATES == 1 ? a.r.hu[k] : a.r.hu[k] + a.r2.hu[k];
        rate.hv = RATES == 1 ? a.r.hv[k] : a.r.hv[k] + a.r2.hv[k];
        /* A transposed state has no friction: schemes/operators.c. */
        const struct physics p = TRANSPOSED ? a.p : roughened(a.p, a.roughness, c);
        q = stepped(base, from, rate, floor, by, p);
        q = dried(q, floor, a.p, &t->gained[j][i]);
        if (EARLY_EXIT)
            TAKE_MAX(active, i, moving(base, q, rate, floor, a.p.dry));
#ifdef WITH_TRACER
        const real dye = dye_of(&a, k, base, from, rate.eta, floor, q.eta - floor);
        if (EARLY_EXIT)
            TAKE_MAX(active, i, bits_of(dye) != bits_of(SUBSTEP == 0 ? a.carried.from[k] : a.carried.base[k]) ||
                                        a.carried.r[k] != REAL(0) ? REAL(1) : REAL(0));
#ifdef TILED
        if (KEEPS_MAP)
            TAKE_MAX(active, i, bits_of(dye) != bits_of(SUBSTEP == 0 ? a.carried.from[k] : a.carried.base[k]) ||
                                        a.carried.r[k] != REAL(0) || (RATES == 2 && a.carried.r2[k] != REAL(0)) ? REAL(1) : REAL(0));
#endif /* TILED */
        a.carried.to[k] = dye;
#endif /* WITH_TRACER */
#ifdef TILED
        if (KEEPS_MAP)
            TAKE_MAX(active, i, moving(base, q, rate, floor, a.p.dry));
#endif /* TILED */
        if (turn) {
            t->eta[j][i] = q.eta;
            t->hu[j][i] = q.hu;
            t->hv[j][i] = q.hv;
        } else {
            a.to.eta[k] = q.eta;
            a.to.hu[k] = q.hu;
            a.to.hv[k] = q.hv;
        }
#ifdef TILED
        PUSH_CELL(i, j, k);
#endif /* TILED */
    }

    /* Counting is rare, and phases of its own keep the one above a vector loop. The same threads
     * see the same cells: no barrier. */
    MAX_LANES(changed);
    UNROLL(1) FOR_TILE(i, j, 0, 0) {
        TAKE_MAX(changed, i, t->gained[j][i]);
    }
    const real units = a.p.units * a.p.weight;
    if (ANY(changed))
        UNROLL(1) FOR_TILE(i, j, 0, 0) {
            COUNT(a.counters + CLIPPED_IN, t->gained[j][i] * units);
#ifdef WITH_TRACER
            COUNT(a.carried.clipped, t->gained[j][i] * a.carried.to[at(a.pitch, X0 + i, Y0 + j)] *
                                         (units * (real)a.carried.scale));
#endif /* WITH_TRACER */
        }

    if (turn) {
        SYNC;
        UNROLL(1) FOR_TRANSPOSED(i, j, 0, 0) {
            const long k = at(a.to_pitch, Y0 + j, X0 + i);
            a.to.eta[k] = t->eta[j][i];
            a.to.hu[k] = t->hu[j][i];
            a.to.hv[k] = t->hv[j][i];
        }
    }
    if (EARLY_EXIT) {
        bits now = 0;
        BLOCK_MAX(now, active);
        ONCE a.wet.active[BLOCK_ID] =
            SUBSTEP == 0 ? now : max_bits(now, a.wet.active[BLOCK_ID]);
    }
#ifdef TILED
    PUSH_RIM;
    if (KEEPS_MAP && tiling.moved)
        BLOCK_MAX(tiling.moved[BLOCK_ID], active);
#endif /* TILED */
}
