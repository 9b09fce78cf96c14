/* What happens to a cell at the end of a substep: bed shear stress, then drying and clipping. */
#ifndef SHOAL_UPDATE_H
#define SHOAL_UPDATE_H

#include "args.h"
#include "num/depth.h"

/* FRICTION 0: there is none; 1: n is the same everywhere, or there is drag alone; 2: each cell has its
 * own n, and number k of `roughness` replaces the common g n^2. */
FN struct physics roughened(struct physics p, const real *roughness, long k)
{
    if (FRICTION == 2)
        p.friction = roughness[k];
    return p;
}

/* Rate at which friction takes momentum: Manning's g n^2 |u| / h^(4/3), from the state at the start of
 * the substep (from the updated state the steady flow would depend on dt; paper III, eq. 9, where the
 * sign is the opposite), and the linear one. Zero in dry cells. */
FN real friction_rate(real h, real hu, real hv, const struct physics p)
{
    real wet = max2(h, p.dry);
    real u = inverse_depth(wet, p.kappa4) * root(hu * hu + hv * hv);
    return h > p.dry ? p.friction * u / (wet * cube_root(wet)) + p.drag : REAL(0);
}

struct state {
    real w, hu, hv;
};

/* The new value of one variable (thesis eq. 2.4): SUBSTEP 0 is the Euler step, SUBSTEP 1 averages. */
FN real advanced(real base, real from, real r, real dt)
{
    return SUBSTEP == 0 ? from + dt * r : REAL(0.5) * (base + (from + dt * r));
}

/* A cell after a substep from state `from`, `base` at the start of the step; with friction, paper III
 * eq. 10. */
FN struct state stepped(struct state base, struct state from, struct state rate, real bed, real dt,
                        const struct physics p)
{
    struct state q;
    q.w = advanced(base.w, from.w, rate.w, dt);
    q.hu = advanced(base.hu, from.hu, rate.hu, dt);
    q.hv = advanced(base.hv, from.hv, rate.hv, dt);
    if (FRICTION) {
        const real drag = friction_rate(from.w - bed, from.hu, from.hv, p);
        const real slow = REAL(1) + (SUBSTEP == 0 ? dt : REAL(0.5) * dt) * drag;
        q.hu = q.hu / slow;
        q.hv = q.hv / slow;
    }
    return q;
}

/* A cell whose level fell below the bed is filled up to it; a film thinner than `dry` is removed
 * with its momentum. *gained: the depth this added (removed, if negative). */
FN struct state dried(struct state q, real bed, const struct physics p, real *gained)
{
    real h = q.w - bed;
    struct state d;
    d.w = h < p.dry ? bed : q.w;
    d.hu = h < p.dry ? REAL(0) : q.hu;
    d.hv = h < p.dry ? REAL(0) : q.hv;
    *gained = h < p.dry ? -h : REAL(0);
    return d;
}

#endif
