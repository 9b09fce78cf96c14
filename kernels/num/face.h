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

/* Flux through the face between the middle two of four cells on the line across it. The bed lies at
 * b[1] on the face, at b[0] and b[2] on the opposite faces of those two. *speed: the largest |u|+c. */
FN struct flux flux_through_face(const struct cell c[4], const real b[3], const struct physics p,
                                 real *speed)
{
    const real th = p.theta, level_l = c[1].w - b[1], level_r = c[2].w - b[1];
    const real dl = RECONSTRUCTION(half_slope(c[0].w, c[1].w, c[2].w, th), c[1].w - b[0], level_l);
    const real dr = RECONSTRUCTION(half_slope(c[1].w, c[2].w, c[3].w, th), level_r, c[2].w - b[2]);
    const struct side l = side_of_face(level_l, dl, c[1].n + half_slope(c[0].n, c[1].n, c[2].n, th),
                                       c[1].t + half_slope(c[0].t, c[1].t, c[2].t, th), b[1], p);
    const struct side r =
        side_of_face(level_r, -dr, c[2].n - half_slope(c[1].n, c[2].n, c[3].n, th),
                     c[2].t - half_slope(c[1].t, c[2].t, c[3].t, th), b[1], p);
    const real al = abs1(l.un) + celerity(l.h, p.g), ar = abs1(r.un) + celerity(r.h, p.g);
    *speed = al > ar ? al : ar;
    return FLUX(l, r, p.g);
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
