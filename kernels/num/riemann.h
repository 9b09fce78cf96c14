/* The input and output of a numerical flux, and the terms that all fluxes share. */
#ifndef SHOAL_RIEMANN_H
#define SHOAL_RIEMANN_H

#include "real.h"

/* One side of a face: depth, velocity normal and tangential to it, bed level; surface level, where the bed has
 * steps (num/face.h). Both sides measure levels from the same reference. */
struct side {
    real h, un, ut, b, w;
#ifdef DRAINING
    /* Twice the most that may flow out of its cell here, m2/s: num/draining.h. */
    real most;
#endif /* DRAINING */
};

/* Flux through a face of mass, normal momentum and tangential momentum. A plug-in that handles the step between
 * the two bed levels itself defines BED_IN_FLUX (and BED_STEP among its PROPERTIES) and sets `n` as the cell
 * before the face sees it and `n_after` as the one after it does; others leave n_after alone. One that ends in
 * two_waves_less_pressure defines PRESSURE_OUT: n leaves out the pressure of the left side and n_after that of
 * the right one. */
struct flux {
    real h, n, t, n_after;
};

FN real celerity(real h, real g)
{
#if defined(__CUDACC__) && defined(FAST) && PRECISION == 32
    return root(g) *
           root(h); /* the first is a constant, and the product fuses with a later addition */
#else
    return root(g * h);
#endif
}

FN real pressure(real h, real g)
{
    return (REAL(0.5) * g) * (h * h);
}

/* The exact flux of a state. */
FN struct flux physical_flux(struct side s, real g)
{
    struct flux f;
    f.h = s.h * s.un;
    f.n = mul_add(f.h, s.un, pressure(s.h, g));
    f.t = f.h * s.ut;
    return f;
}

/* The two-wave flux (ap F(l) - am F(r) + ap am (Q(r) - Q(l))) / (ap - am) for am <= 0 <= ap, without the
 * pressures: those of l and r count with the weights share_l and share_r, which add up to 1. Written around the
 * mean of F: equal fluxes on both sides come out exactly, and mirroring the states mirrors the bits. */
struct carried {
    struct flux f;
    real share_l, share_r;
};

FN struct carried carried_by_two_waves(struct side l, struct side r, real am, real ap)
{
    const real width = ap - am;
    const real inv = inverse(max2(width, REAL(1e-20)));
    struct carried c;
    c.share_l = ap * inv;
    c.share_r = -am * inv;
#ifdef FAST /* the same with an operation less, but not mirrored to the bit */
    const real drag = c.share_l * am;
    const real from_l = l.h * (c.share_l * l.un - drag), from_r = r.h * (c.share_r * r.un + drag);
#else
    const real drag = (ap * am) * inv, ml = l.h * l.un, mr = r.h * r.un;
    const real from_l = c.share_l * ml, from_r = c.share_r * mr;
#endif
    c.f.h = from_l + from_r;
    c.f.n = l.un * from_l + r.un * from_r;
    c.f.t = l.ut * from_l + r.ut * from_r;
#ifndef FAST
    c.f.h = mul_add(drag, r.h - l.h, c.f.h);
    c.f.n = mul_add(drag, mr - ml, c.f.n);
    c.f.t = mul_add(drag, r.h * r.ut - l.h * l.ut, c.f.t);
#endif
    return c;
}

FN struct flux two_waves(struct side l, struct side r, real am, real ap, real g)
{
    struct carried c = carried_by_two_waves(l, r, am, ap);
    c.f.n = c.f.n + (c.share_l * pressure(l.h, g) + c.share_r * pressure(r.h, g));
    return c.f;
}

/* The same less the pressures of either side: only the difference of the two counts, which has less rounding
 * error than they have where water is deep and its surface nearly level. */
FN struct flux two_waves_less_pressure(struct side l, struct side r, real am, real ap, real g)
{
    struct carried c = carried_by_two_waves(l, r, am, ap);
    const real push = (REAL(0.5) * g) * ((r.h - l.h) * (r.h + l.h)), n = c.f.n;
    c.f.n = mul_add(c.share_r, push, n);
    c.f.n_after = mul_add(-c.share_l, push, n);
    return c.f;
}

/* The outer waves of an HLL flux, am <= 0 <= ap. */
struct waves {
    real am, ap;
};

/* The waves of two rarefactions, between which the water has the velocity u and the celerity c. Beside a dry
 * side the water's front moves at its velocity plus or minus twice its celerity. Fraccarollo and Toro 1995;
 * Toro 2001, chapter 10. */
FN struct waves two_rarefactions(struct side l, struct side r, real g)
{
    real cl = celerity(l.h, g), cr = celerity(r.h, g);
    real u = REAL(0.5) * (l.un + r.un) + (cl - cr);
    real c = REAL(0.5) * (cl + cr) + REAL(0.25) * (l.un - r.un);
    real sl = min2(l.un - cl, u - c), sr = max2(r.un + cr, u + c);
    const int dry_l = l.h <= REAL(0), dry_r = r.h <= REAL(0);
    struct waves s;
    sl = dry_l ? r.un - REAL(2) * cr : dry_r ? l.un - cl : sl;
    sr = dry_r ? l.un + REAL(2) * cl : dry_l ? r.un + cr : sr;
    s.am = min2(sl, REAL(0));
    s.ap = max2(sr, REAL(0));
    return s;
}

#endif
