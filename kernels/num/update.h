/* Finishes a cell at the end of a substep: bed shear stress, then drying and clipping. */
#ifndef SHOAL_UPDATE_H
#define SHOAL_UPDATE_H

#include "args.h"
#include "num/depth.h"

/* FRICTION 0: none; 1: n is the same everywhere, or there is only drag; 2: each cell has its own n, and number
 * k of `roughness` replaces the common g n^2. */
FN struct physics roughened(struct physics p, const real *roughness, long k)
{
    if (FRICTION == 2)
        p.friction = roughness[k];
    return p;
}

/* Rate at which friction removes momentum: Manning's g n^2 |u| / h^(4/3), from the state at the start of the
 * substep (from the updated state the steady flow would depend on dt; paper III, eq. 9, where the sign is the
 * opposite), plus linear drag. Zero in dry cells. */
FN real friction_rate(real h, real hu, real hv, const struct physics p)
{
    const real wet = max2(h, p.dry), discharge = root(hu * hu + hv * hv);
#ifdef FAST /* the same with fewer operations: |u| = h |hu| / sqrt(raised_h4) */
    const real thin = over_root(inverse_cube_root(wet), raised_h4(wet, p.kappa4));
    const real rate = p.friction * thin * discharge;
#else
    const real u = inverse_depth(wet, p.kappa4) * discharge;
    const real rate = p.friction * square(square(inverse_cube_root(wet))) * u;
#endif
    return h > p.dry ? rate + p.drag : REAL(0);
}

/* Bits that look random (C. Wellons, Prospecting for hash functions, 2018: lowbias32). */
FN unsigned scattered(unsigned x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* Rounding eta to f32 must have no bias: otherwise rain of a few millimetres an hour, or a thin river, loses
 * water that arrives in amounts below half a unit in the last place. So each update also adds a number between
 * -1/2 and 1/2 of such a unit, the same for all cells: multiples of an irrational number, its `stride` (Weyl).
 * They are evenly spread over few steps and over many, together with those of the step's other updates, whose
 * strides differ, because the rounding of a later update depends on that of the first. Taken in order they
 * would have a pattern in time, which nearly steady water would follow; so every sixteen steps use theirs in a
 * pseudorandom order. Where nothing is added nothing changes. */
FN real dither_of(unsigned long steps, unsigned stride)
{
    const unsigned n = (unsigned)steps, order = scattered(n >> 4);
    const unsigned x = ((n & ~15u) | (((n ^ order) * (order >> 8 | 1u)) & 15u)) * stride;
    return PRECISION == 64 ? REAL(0) : (real)(int)x * REAL(0x0.ffffffp-55);
}

/* The unit is that of the number just below eta: just below a power of two it is half that above. */
FN real added(real eta, real more, real dither)
{
#if PRECISION == 32
    const real unit = real_of(bits_of(eta * REAL(0x0.ffffffp0)) & 0x7f800000u); /* times 2^23 */
    return eta + mul_add(dither, unit, more);
#else
    (void)dither;
    return eta + more;
#endif
}

struct state {
    real eta, hu, hv;
};

/* The new value of a discharge (thesis eq. 2.4): SUBSTEP 0 is the Euler step, SUBSTEP 1 averages. */
FN real advanced(real base, real from, real r, real dt)
{
    const real euler = mul_add(dt, r, from);
    return SUBSTEP == 0 ? euler : REAL(0.5) * (base + euler);
}

/* The same as an increment to the start of the step: the smaller the increment, the smaller its rounding error. */
FN real advanced_level(real base, real from, real r, real dt, real dither)
{
    const real more = SUBSTEP == 0 ? dt * r : REAL(0.5) * mul_add(dt, r, from - base);
    return added(base, more, dither);
}

/* A time step as an update uses it. */
struct advance {
    real dt, dither;
};

/* A cell after a substep from state `from`; `base` is the state at the start of the step (the same for SUBSTEP
 * 0). With friction, paper III eq. 10. */
FN struct state stepped(struct state base, struct state from, struct state rate, real floor,
                        struct advance by, const struct physics p)
{
    struct state q;
    q.eta = advanced_level(base.eta, from.eta, rate.eta, by.dt, by.dither);
    q.hu = advanced(base.hu, from.hu, rate.hu, by.dt);
    q.hv = advanced(base.hv, from.hv, rate.hv, by.dt);
    if (FRICTION) {
        const real drag = friction_rate(from.eta - floor, from.hu, from.hv, p);
        const real left = inverse(REAL(1) + (SUBSTEP == 0 ? by.dt : REAL(0.5) * by.dt) * drag);
        q.hu = q.hu * left;
        q.hv = q.hv * left;
    }
    return q;
}

/* Water thinner than `dry` stays where it is, without momentum; a cell whose level fell below its bed is filled
 * up to the bed. *gained: the depth this added. */
FN struct state dried(struct state q, real floor, const struct physics p, real *gained)
{
    const real h = q.eta - floor;
    struct state d;
    d.eta = h < REAL(0) ? floor : q.eta;
    d.hu = h < p.dry ? REAL(0) : q.hu;
    d.hv = h < p.dry ? REAL(0) : q.hv;
    *gained = h < REAL(0) ? -h : REAL(0);
    return d;
}

#endif
