/* What happens to a cell at the end of a substep: bed shear stress, then drying and clipping. */
#ifndef SHOAL_UPDATE_H
#define SHOAL_UPDATE_H

#include "args.h"
#include "num/depth.h"

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
