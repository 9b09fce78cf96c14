/* What a numerical flux sees and gives, and the terms all of them share. */
#ifndef SHOAL_RIEMANN_H
#define SHOAL_RIEMANN_H

#include "real.h"

/* One side of a face: depth, velocity normal and tangential to it, bed level; surface level, where the
 * bed has steps (num/face.h). */
struct side {
    real h, un, ut, b, w;
};

/* Flux through a face of mass, normal momentum and tangential momentum. A plug-in that treats the step
 * between the two bed levels itself says so with BED_IN_FLUX (and BED_STEP among its PROPERTIES) and
 * sets `n` as the cell before the face sees it and `n_after` as the one behind it does; others leave
 * n_after alone. */
struct flux {
    real h, n, t, n_after;
};

FN real celerity(real h, real g)
{
    return root(g * h);
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
    f.n = f.h * s.un + pressure(s.h, g);
    f.t = f.h * s.ut;
    return f;
}

/* The two-wave flux (ap F(l) - am F(r) + ap am (Q(r) - Q(l))) / (ap - am) for am <= 0 <= ap, written
 * around the mean of F: equal fluxes on both sides come out exactly, and mirroring the states
 * mirrors the bits. */
FN struct flux two_waves(struct side l, struct side r, real am, real ap, real g)
{
    real width = ap - am;
    real inv = width > REAL(1e-20) ? inverse(width) : REAL(0);
    real skew = REAL(0.5) * ((ap + am) * inv), drag = (ap * am) * inv;
    struct flux f;
#ifdef FAST /* the same with two thirds of the operations, and exact where the water is at rest */
    real share_l = REAL(0.5) + skew, share_r = REAL(0.5) - skew;
    real from_l = l.h * (share_l * l.un - drag), from_r = r.h * (share_r * r.un + drag);
    f.h = from_l + from_r;
    f.n =
        (l.un * from_l + r.un * from_r) + (share_l * pressure(l.h, g) + share_r * pressure(r.h, g));
    f.t = l.ut * from_l + r.ut * from_r;
#else
    struct flux fl = physical_flux(l, g), fr = physical_flux(r, g);
    f.h = REAL(0.5) * (fl.h + fr.h) + (skew * (fl.h - fr.h) + drag * (r.h - l.h));
    f.n = REAL(0.5) * (fl.n + fr.n) + (skew * (fl.n - fr.n) + drag * (r.h * r.un - l.h * l.un));
    f.t = REAL(0.5) * (fl.t + fr.t) + (skew * (fl.t - fr.t) + drag * (r.h * r.ut - l.h * l.ut));
#endif
    return f;
}

/* The outer waves of an HLL flux, am <= 0 <= ap. */
struct waves {
    real am, ap;
};

/* Those of two rarefactions, between which the water has the velocity u and the celerity c. Beside a dry
 * side the water's edge moves at its velocity plus or minus twice its celerity. Fraccarollo and Toro
 * 1995; Toro 2001, chapter 10. */
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
