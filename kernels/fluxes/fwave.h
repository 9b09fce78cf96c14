/* The f-wave solver splits the jump of the flux across a face, including the push of a step in the bed, into
 * two waves; each goes where its speed points. Bale, LeVeque, Mitran and Rossmanith 2002, section 3; the
 * speeds: Einfeldt, Munz, Roe and Sjogreen 1991. With a reconstruction that leaves no step at a face it is the
 * same solver without a source. */
#include "num/more_registers.h"
#include "num/riemann.h"

#define BED_IN_FLUX 1

PROPERTIES("f-wave", "Bale, LeVeque, Mitran and Rossmanith 2002", SYMMETRIC | BED_STEP)

/* Rise of the surface from l to r. A step higher than the other side's surface pushes that water no harder
 * than a wall: only the water that stands on the step counts. */
FN real rise(struct side l, struct side r)
{
#if defined(STEPPED_BED) && STEPPED_BED
    const real up = r.b > l.w ? r.h : r.w - l.w;
    return l.b > r.w ? -l.h : up;
#else
    return r.h - l.h;
#endif
}

/* Whether a dry side stops the water beside it. */
FN int is_wall(struct side wet, struct side dry)
{
#if defined(STEPPED_BED) && STEPPED_BED
    return wet.h > REAL(0) && dry.h <= REAL(0) && dry.b >= wet.w;
#else
    (void)wet;
    (void)dry;
    return 0;
#endif
}

/* `other` as `water` sees it: a wall reflects `water`, a dry side moves along with it. */
FN struct side seen_from(struct side water, struct side other)
{
    const int wall = is_wall(water, other), dry = other.h <= REAL(0);
    struct side s = wall ? water : other;
    s.un = wall ? -water.un : dry ? water.un : other.un;
    return s;
}

/* Slowest and fastest wave: those of the linearised problem, or a side's own where that lies beyond them. */
struct speeds {
    real low, high;
};

FN struct speeds einfeldt(struct side l, struct side r, real g)
{
    const real cl = celerity(l.h, g), cr = celerity(r.h, g), sum = cl + cr;
    const real u = sum > REAL(0) ? (cl * l.un + cr * r.un) / sum : REAL(0);
    const real c = celerity(REAL(0.5) * (l.h + r.h), g);
    struct speeds s;
    s.low = min2(l.un - cl, u - c);
    s.high = max2(r.un + cr, u + c);
    return s;
}

/* The side that a wave moves to: -1 before the face, 1 after it; 0 if it stands. */
FN real way(real speed)
{
    return abs1(speed) > REAL(0) ? with_sign_of(speed, REAL(1)) : REAL(0);
}

FN struct flux fwave(struct side left, struct side right, real g)
{
    const struct side l = seen_from(right, left), r = seen_from(left, right);
    const struct speeds s = einfeldt(l, r, g);
    const real width = s.high - s.low, inv = width > REAL(1e-20) ? inverse(width) : REAL(0);
    const real ml = l.h * l.un, mr = r.h * r.un;
    const real pushed = (REAL(0.5) * g) * ((l.h + r.h) * rise(l, r));
    const real mass = mr - ml, momentum = (mr * r.un - ml * l.un) + pushed;
    const real low = (s.high * mass - momentum) * inv, high = (momentum - s.low * mass) * inv;
    const real to_low = min2(s.low, REAL(0)) * low + min2(s.high, REAL(0)) * high;
    const real to_high = max2(s.low, REAL(0)) * low + max2(s.high, REAL(0)) * high;
    const real through = REAL(0.5) * ((ml + mr) - (way(s.low) * low + way(s.high) * high));
    /* Nothing leaves a dry side: as bounds, of which gcc 12 makes vector code, unlike of conditions. */
    const real most = left.h > REAL(0) ? REAL(1e30) : REAL(0);
    const real least = right.h > REAL(0) ? REAL(-1e30) : REAL(0);
    struct flux f;
    f.h = max2(min2(through, most), least);
    f.t = f.h > REAL(0) ? f.h * left.ut : f.h * right.ut;
    f.n = (ml * l.un + pressure(l.h, g)) + to_low;
    f.n_after = (mr * r.un + pressure(r.h, g)) - to_high;
#if defined(STEPPED_BED) && STEPPED_BED
    f.n = is_wall(right, left) ? REAL(0) : f.n;
    f.n_after = is_wall(left, right) ? REAL(0) : f.n_after;
#else
    f.n = f.n_after = REAL(0.5) * (f.n + f.n_after);
#endif
    return f;
}
