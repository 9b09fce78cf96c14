/* The flux through one face from the four cells on the line across it: reconstruction, correction
 * for wet-dry fronts, velocities, numerical flux. x and y, and every scheme, use this one text.
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

/* Cell averages: surface level, discharge normal and tangential to the face. */
struct cell {
    real w, n, t;
};

/* Half of the limited difference across the middle one of three cells. */
FN real half_slope(real before, real here, real after, real theta)
{
    return REAL(0.5) * LIMITER(here - before, after - here, theta);
}

/* One side of a face. `level` is w - B at the face before the slope dh is added: where the water is
 * at rest the depth is `level` to the last bit, which is what balances the bed's source. */
FN struct side side_of_face(real level, real dh, real n, real t, real b, const struct physics p)
{
    struct side s;
    s.h = positive(level + dh);
    real f = inverse_depth(s.h, p.kappa4);
    s.un = f * n;
    s.ut = f * t;
    s.b = b;
    return s;
}

/* Flux through the face between l and r, whose outer neighbours are ll and rr. The bed lies at b on
 * the face and at b_l and b_r on the opposite faces of l and r. *speed: the largest |u|+c there. */
FN struct flux flux_through_face(struct cell ll, struct cell l, struct cell r, struct cell rr,
                                 real b_l, real b, real b_r, const struct physics p, real *speed)
{
    real level_l = l.w - b, level_r = r.w - b;
    real dl = RECONSTRUCTION(half_slope(ll.w, l.w, r.w, p.theta), l.w - b_l, level_l);
    real dr = RECONSTRUCTION(half_slope(l.w, r.w, rr.w, p.theta), level_r, r.w - b_r);
    struct side sl = side_of_face(level_l, dl, l.n + half_slope(ll.n, l.n, r.n, p.theta),
                                  l.t + half_slope(ll.t, l.t, r.t, p.theta), b, p);
    struct side sr = side_of_face(level_r, -dr, r.n - half_slope(l.n, r.n, rr.n, p.theta),
                                  r.t - half_slope(l.t, r.t, rr.t, p.theta), b, p);
    real al = abs1(sl.un) + celerity(sl.h, p.g), ar = abs1(sr.un) + celerity(sr.h, p.g);
    *speed = al > ar ? al : ar;
    return FLUX(sl, sr, p.g);
}

/* Source of the bed's slope across a cell, times the cell's size: -g h dB with h at the centre,
 * written as the difference of the pressures at the two faces: (w-B)^2 is linear in w B and B^2, so
 * the two are the same (Kurganov and Petrova 2007, eq. 2.17), and at rest this one cancels the flux
 * difference bit for bit. */
FN real bed_source(real w, real b_low, real b_high, real g)
{
    return pressure(w - b_high, g) - pressure(w - b_low, g);
}

#endif
