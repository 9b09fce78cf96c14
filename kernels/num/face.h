/* What the faces see of the cells beside them: reconstruction, correction for wet-dry fronts,
 * velocities; and the numerical flux. x and y, and every scheme, use this one text.
 *
 * The recipe names the plug-ins: LIMITER, FLUX and RECONSTRUCTION are functions, LIMITER_FILE,
 * FLUX_FILE and RECONSTRUCTION_FILE the headers they stand in. */
#ifndef SHOAL_FACE_H
#define SHOAL_FACE_H

#include "args.h"
#include "num/depth.h"
#include "num/riemann.h"
#include LIMITER_FILE
#include RECONSTRUCTION_FILE
#include FLUX_FILE

/* What the plug-ins' headers may say. STEPPED_BED, of a reconstruction: each cell's bed is its own and
 * steps at the faces; else it is continuous, and bilinear in each cell. BED_IN_FLUX: see riemann.h. */
#ifndef STEPPED_BED
#define STEPPED_BED 0
#endif
#ifndef BED_IN_FLUX
#define BED_IN_FLUX 0
#endif

/* Cell averages: surface level, discharge normal and tangential to the face; where the bed has steps
 * its level, too. */
struct cell {
    real w, n, t, b;
};

/* Half of the limited difference across the middle one of three cells. */
FN real half_slope(real before, real here, real after, real theta)
{
    return REAL(0.5) * LIMITER(here - before, after - here, theta);
}

/* One side of a face. `level` is w - B at the face before the slope dh is added: where the water is
 * at rest the depth is `level` to the last bit, which is what balances the bed's source. A depth
 * below `dry` is none: rounding must not make a film that flows (paper III, 4, "performance"). */
FN struct side side_of_face(real level, real dh, real n, real t, real b, const struct physics p)
{
    struct side s;
    real h = level + dh, f;
    s.h = h < p.dry ? REAL(0) : h;
    f = inverse_depth(s.h, p.kappa4);
    s.un = f * n;
    s.ut = f * t;
    s.b = b;
    return s;
}

/* Source of the bed's slope across a cell, times the cell's size: -g h dB with h at the centre,
 * written as the difference of the pressures at the two faces: (w-B)^2 is linear in w B and B^2, so
 * the two are the same (Kurganov and Petrova 2007, eq. 2.17), and at rest this one cancels the flux
 * difference bit for bit. */
FN real bed_source(real w, real b_low, real b_high, real g)
{
    return pressure(w - b_high, g) - pressure(w - b_low, g);
}

/* What the two faces of a cell see of it, and the source in between, times the cell's size. */
struct halves {
    struct side low, high;
    real source;
};

#if STEPPED_BED

/* Level and depth are limited, the bed is what lies between them, so that water at rest has no slope
 * and a dry cell none of depth. The pressure of a cell at its own faces is left out of the fluxes and
 * of the source -g h dB: what is left of that is -g h dw, which is nothing at rest (Audusse et al.
 * 2004, section 4.3, in this order of the sums). */
FN struct halves reconstructed(struct cell before, struct cell c, struct cell after, real b_low,
                               real b_high, const struct physics p)
{
    const real h = c.w - c.b;
    const real dw = half_slope(before.w, c.w, after.w, p.theta);
    const real limited = half_slope(before.w - before.b, h, after.w - after.b, p.theta);
    const real flooded = dw - REAL(0.5) * (b_high - b_low);
    const real dh = abs1(flooded) > h ? limited : flooded;
    const real n = half_slope(before.n, c.n, after.n, p.theta);
    const real t = half_slope(before.t, c.t, after.t, p.theta);
    struct halves s;
    s.low = side_of_face(h, -dh, c.n - n, c.t - t, REAL(0), p);
    s.high = side_of_face(h, dh, c.n + n, c.t + t, REAL(0), p);
    s.low.w = c.w - dw;
    s.high.w = c.w + dw;
    s.source = -p.g * ((s.low.h + s.high.h) * dw);
    return s;
}

/* Both sides as the step lets them see each other, and the flux between these. */
FN struct flux face_flux(struct side l, struct side r, real g)
{
    struct side from, to;
    struct flux f;
    l.b = l.w - l.h;
    r.b = r.w - r.h;
    from = l;
    to = r;
    from.h = RECONSTRUCTION(l, r);
    to.h = RECONSTRUCTION(r, l);
#if BED_IN_FLUX
    f = FLUX(from, to, g);
    f.n_after = f.n_after - pressure(to.h, g);
#else
    from.b = to.b = REAL(0);
    f = FLUX(from, to, g);
    f.n_after = f.n - pressure(to.h, g);
#endif
    f.n = f.n - pressure(from.h, g);
    return f;
}

#else

/* The middle one of three cells on a line, between faces at which the bed lies at b_low, b_high. */
FN struct halves reconstructed(struct cell before, struct cell c, struct cell after, real b_low,
                               real b_high, const struct physics p)
{
    const real low = c.w - b_low, high = c.w - b_high;
    const real d = RECONSTRUCTION(half_slope(before.w, c.w, after.w, p.theta), low, high);
    const real n = half_slope(before.n, c.n, after.n, p.theta);
    const real t = half_slope(before.t, c.t, after.t, p.theta);
    struct halves s;
    s.low = side_of_face(low, -d, c.n - n, c.t - t, b_low, p);
    s.high = side_of_face(high, d, c.n + n, c.t + t, b_high, p);
    s.source = bed_source(c.w, b_low, b_high, p.g);
    return s;
}

FN struct flux face_flux(struct side l, struct side r, real g)
{
    struct flux f = FLUX(l, r, g);
    f.n_after = f.n;
    return f;
}

#endif

/* The largest |u|+c on either side of a face. */
FN real faster(struct side l, struct side r, real g)
{
    const real al = abs1(l.un) + celerity(l.h, g), ar = abs1(r.un) + celerity(r.h, g);
    return al > ar ? al : ar;
}

/* Stores the mass flux through the domain's rim, or adds it to what is there. */
FN void keep(real *rim, real flux, int add)
{
    *rim = add ? *rim + flux : flux;
}

#endif
