/* Depth, velocity and bed level from the stored values. */
#ifndef SHOAL_DEPTH_H
#define SHOAL_DEPTH_H

#include "real.h"

/* Bed level at the middle of a face whose ends lie at b0 and b1. */
FN real bed_at_face(real b0, real b1)
{
    return REAL(0.5) * (b0 + b1);
}

/* The level at rest above ground of level b, and eta of a dry cell: see struct fields. */
FN real at_rest(real b, real still)
{
    return max2(b, still);
}

FN real floor_of(real b, real still)
{
    return b - at_rest(b, still);
}

FN real depth_of(real eta, real b, real still)
{
    return eta - floor_of(b, still);
}

/* (h^4 + max(h^4, kappa^4)) / 2. */
FN real raised_h4(real h, real kappa4)
{
    const real h4 = square(square(h));
    return max2(h4, REAL(0.5) * h4 + REAL(0.5) * kappa4);
}

/* The factor f with u = f (hu): 1/h in deep water, falling to zero with h below kappa.
 *
 *     f = sqrt(2) h / sqrt(h^4 + max(h^4, kappa^4))
 *
 * Kurganov and Petrova 2007; eq. (5) of Brodtkorb, Saetra and Altinakar 2012, where kappa lacks its power. */
FN real inverse_depth(real h, real kappa4)
{
#ifdef FAST /* the same with fewer operations */
    return over_root(h, raised_h4(h, kappa4));
#else
    const real h4 = square(square(h));
    return over_root(REAL(1.4142135623730951) * h, h4 + max2(h4, kappa4));
#endif
}

#endif
