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
 * steps at the faces; else it is continuous, and bilinear in each cell. With steps RECONSTRUCTION gives
 * the bed's level at the face between two sides, else the slope of a cell's surface. BED_IN_FLUX: see
 * riemann.h. */
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

/* A depth below `dry` is none: rounding must not make a film that flows (paper III, 4, "performance"). */
FN real depth_or_none(real h, const struct physics p)
{
    return h < p.dry ? REAL(0) : h;
}

/* One side of a face. `level` is w - B at the face before the slope dh is added: where the water is
 * at rest the depth is `level` to the last bit, which is what balances the bed's source. */
FN struct side side_of_face(real level, real dh, real n, real t, real b, const struct physics p)
{
    struct side s;
    real f;
    s.h = depth_or_none(level + dh, p);
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
#include "num/face_stepped.h"
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
