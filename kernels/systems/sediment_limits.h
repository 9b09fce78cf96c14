/* BEGIN_LIMITS, LIMIT and END_LIMITS: how long a step may be. Part of sediment.cu, whose SAND, MUD and LOAD it
 * uses. */
#ifndef SHOAL_SEDIMENT_LIMITS_H
#define SHOAL_SEDIMENT_LIMITS_H

#if LIMITS

/* Properties of the faces of a cell, per s: how fast heights even out; the inflow of each sediment, per metre
 * of the layer; and how steeply the floor falls from the cell. */
struct around {
    real evens, sand, mud, falls;
};

FN struct around look(real sand, real mud, real own, real rise)
{
    struct around n;
    n.evens = max2(sand + mud, own);
    n.sand = rise > REAL(0) ? sand * rise : REAL(0);
    n.mud = rise > REAL(0) ? mud * rise : REAL(0);
    n.falls = rise < REAL(0) ? -rise : REAL(0);
    return n;
}

FN struct around both(const struct around a, const struct around b, real x, real y)
{
    struct around n;
    n.evens = a.evens * x + b.evens * y;
    n.sand = a.sand * x + b.sand * y;
    n.mud = a.mud * x + b.mud * y;
    n.falls = a.falls * x + b.falls * y;
    return n;
}

/* Heights stay between their neighbours' for dt <= 1 / evens. With a the inflow of sand and D the fall, the new
 * share is
 *
 *     s (1 - dt/A (b_in + (1-s) alpha D / Cs)) + dt/A (...) >= 0
 *
 * and likewise for 1 - s: so s stays within 0 to 1 for
 *
 *     dt <= A / max(a_in + s beta D / Cm, b_in + (1 - s) alpha D / Cs).
 *
 * What leaves through edges takes its share of both; a sink of sand or mud that a case sets takes no more in a
 * step than the layer has of it. */
FN real limit_at(const struct sediment_args *args, long k)
{
    const struct sediment_args a = *args;
    const real x = square(a.p.inv_dx), y = square(a.p.inv_dy);
    const long w = k - 1, e = k + 1;
    const long below = k - a.pitch, above = k + a.pitch;
    const real h = LOAD(a.h[k]), s = LOAD(a.s[k]), m = REAL(1) - s, own = SAND(k) + MUD(k);
    const struct around n =
        both(both(look(SAND(w), MUD(w), own, LOAD(a.h[w]) - h),
                  look(SAND(e), MUD(e), own, LOAD(a.h[e]) - h), x, x),
             both(look(SAND(below), MUD(below), own, LOAD(a.h[below]) - h),
                  look(SAND(above), MUD(above), own, LOAD(a.h[above]) - h), y, y),
             REAL(1), REAL(1));
    const real sand = a.supplied ? LOAD(a.in_sand[k]) : REAL(0),
               mud = a.supplied ? LOAD(a.in[k]) - LOAD(a.in_sand[k]) : REAL(0);
    const real no_sand = sand < REAL(0) ? -sand * m / s : REAL(0);
    const real no_mud = mud < REAL(0) ? -mud * s / m : REAL(0);
    const real of_mud =
        n.sand + positive(sand) + s * LOAD(a.beta[k]) * a.p.PER_MUD * n.falls + no_mud;
    const real of_sand =
        n.mud + positive(mud) + m * LOAD(a.alpha[k]) * a.p.PER_SAND * n.falls + no_sand;
    const real speed = max2(n.evens, max2(of_sand, of_mud) * a.p.PER_LAYER);
    const int whole = s <= REAL(1) + MOST_EXCESS && s >= -MOST_EXCESS && abs1(h) <= REAL(1e30);
    return whole ? speed : REAL(4e30);
}

#define BEGIN_LIMITS   MAX_LANES(fastest)
#define LIMIT(lane, k) TAKE_MAX(fastest, lane, limit_at(&a, k))
#define END_LIMITS     BLOCK_MAX(a.block_speed[BLOCK_ID], fastest)
#else
#define BEGIN_LIMITS (void)t
#define LIMIT(lane, k)
#define END_LIMITS
#endif

#endif
