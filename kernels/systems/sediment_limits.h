/* LIMIT: how long a step may be. Part of sediment.cu, whose SAND, MUD and LOAD it uses. */
#ifndef SHOAL_SEDIMENT_LIMITS_H
#define SHOAL_SEDIMENT_LIMITS_H

#if LIMITS

/* Properties of the faces of a cell, per s: the inflow of each sediment, per metre of the layer; and how steeply
 * the floor falls from the cell. */
struct around {
    real sand, mud, falls;
};

FN struct around look(real sand, real mud, real rise)
{
    struct around n;
    n.sand = rise > REAL(0) ? sand * rise : REAL(0);
    n.mud = rise > REAL(0) ? mud * rise : REAL(0);
    n.falls = rise < REAL(0) ? -rise : REAL(0);
    return n;
}

FN struct around both(const struct around a, const struct around b, real x, real y)
{
    struct around n;
    n.sand = a.sand * x + b.sand * y;
    n.mud = a.mud * x + b.mud * y;
    n.falls = a.falls * x + b.falls * y;
    return n;
}

/* Heights stay between their neighbours' for dt <= 1 / evens: a + b in the cell and around it. */
FN real evens_out(const struct sediment_args *args, const struct cross d)
{
    const real x = square(args->p.inv_dx), y = square(args->p.inv_dy);
    return (max2(d.west, d.here) * x + max2(d.east, d.here) * x) +
           (max2(d.south, d.here) * y + max2(d.north, d.here) * y);
}

/* What is called, and not inserted, leaves registers to its caller: carries() to BASIN_LIMIT, and limit_in() to the
 * others; but the march of BASIN_ONE would have to keep its own out of the call's way. */
#define OF_LIMIT FN
#define OF_FIXED FN
#if defined(__CUDACC__) && PART == BASIN_LIMIT
#undef OF_LIMIT
#define OF_LIMIT static __device__ __noinline__
#elif defined(__CUDACC__) && PART != BASIN_ONE
#undef OF_FIXED
#define OF_FIXED static __device__ __noinline__
#endif

/* With a the inflow of sand and D the fall, the new share is
 *
 *     s (1 - dt/A (b_in + (1-s) alpha D / Cs)) + dt/A (...) >= 0
 *
 * and likewise for 1 - s: so s stays within 0 to 1 for
 *
 *     dt <= A / max(a_in + s beta D / Cm, b_in + (1 - s) alpha D / Cs).
 *
 * What leaves through edges takes its share of both; a sink of sand or mud that a case sets takes no more in a
 * step than the layer has of it. */
OF_LIMIT real carries(const struct sediment_args *args, long k)
{
    const struct sediment_args a = *args;
    const real x = square(a.p.inv_dx), y = square(a.p.inv_dy);
    const long w = k - 1, e = k + 1;
    const long below = k - a.pitch, above = k + a.pitch;
    const real h = LOAD(a.h[k]), s = LOAD(a.s[k]), m = REAL(1) - s;
    const struct around n = both(both(look(SAND(w), MUD(w), LOAD(a.h[w]) - h),
                                      look(SAND(e), MUD(e), LOAD(a.h[e]) - h), x, x),
                                 both(look(SAND(below), MUD(below), LOAD(a.h[below]) - h),
                                      look(SAND(above), MUD(above), LOAD(a.h[above]) - h), y, y),
                                 REAL(1), REAL(1));
    const real sand = a.supplied ? LOAD(a.in_sand[k]) : REAL(0),
               mud = a.supplied ? LOAD(a.in[k]) - LOAD(a.in_sand[k]) : REAL(0);
    const real no_sand = sand < REAL(0) ? -sand * m / s : REAL(0);
    const real no_mud = mud < REAL(0) ? -mud * s / m : REAL(0);
    const real of_mud =
        n.sand + positive(sand) + s * LOAD(a.beta[k]) * a.p.PER_MUD * n.falls + no_mud;
    const real of_sand =
        n.mud + positive(mud) + m * LOAD(a.alpha[k]) * a.p.PER_SAND * n.falls + no_sand;
    return max2(of_sand, of_mud) * a.p.PER_LAYER;
}

FN int holds(real h, real s)
{
    return s <= REAL(1) + MOST_EXCESS && s >= -MOST_EXCESS && abs1(h) <= REAL(1e30);
}

#define BROKEN_SPEED REAL(4e30)

/* Of cell k: all of it. */
OF_FIXED real limit_in(const struct sediment_args *args, long k)
{
    const struct sediment_args a = *args;
    const long w = k - 1, e = k + 1, below = k - a.pitch, above = k + a.pitch;
    struct cross d;
    d.here = SAND(k) + MUD(k);
    d.west = SAND(w) + MUD(w);
    d.east = SAND(e) + MUD(e);
    d.south = SAND(below) + MUD(below);
    d.north = SAND(above) + MUD(above);
    return holds(LOAD(a.h[k]), LOAD(a.s[k])) ? max2(evens_out(&a, d), carries(&a, k))
                                             : BROKEN_SPEED;
}

/* Sediment moves no faster than CARRIES_MOST times the slopes around it, for the shares that hold: only where
 * that exceeds what even heights allow, LIMIT_CLOSER looks at what it carries. */
#define CARRIES_MOST (REAL(1.25) * a.p.MOST_SPREAD * a.p.PER_LAYER)

FN real slopes_around(const struct sediment_args *args, long k, const struct cross h)
{
    const struct sediment_args a = *args;
    const real x = square(a.p.inv_dx), y = square(a.p.inv_dy);
    if (a.supplied && (LOAD(a.in[k]) != REAL(0) || LOAD(a.in_sand[k]) != REAL(0)))
        return REAL(1e30);
    return (abs1(h.west - h.here) + abs1(h.east - h.here)) * x +
           (abs1(h.south - h.here) + abs1(h.north - h.here)) * y;
}

#if !defined(__CUDACC__) && !defined(EMULATE)

/* Columns that look_closer takes together. */
enum { GROUP = 64 };

FN bits most_of(const bits *m, int n)
{
    bits most = 0;
    for (int c = 0; c < n; c++)
        most = max_bits(most, m[c]);
    return most;
}

#endif

/* LIMIT(lane, k, d, h, s) takes the limit of cell k, with a + b and h in the cell and around it, and its share. */
#if PART != BASIN_LIMIT
#include "systems/sediment_guard.h"
#elif defined(__CUDACC__) || defined(EMULATE)

FN real faster(const struct sediment_args *a, long k, const struct cross d, const struct cross h,
               real fastest)
{
    return holds(h.here, LOAD(a->s[k])) ? max2(fastest, evens_out(a, d)) : BROKEN_SPEED;
}

#define BEGIN_LIMITS real fastest = 0, steepest = 0
#define FASTEST      fastest
#define LIMIT(lane, k, d, h, s)             \
    fastest = faster(&a, k, d, h, fastest); \
    steepest = max2(steepest, slopes_around(&a, k, h))
#define LIMIT_CLOSER                                          \
    if (steepest * CARRIES_MOST > fastest)                    \
        CELLS_AGAIN (i, j) {                                  \
            fastest = max2(fastest, carries(&a, CELL(i, j))); \
        }
#define END_LIMITS                       \
    LIMIT_CLOSER;                        \
    const bits limit = bits_of(fastest); \
    BLOCK_MAX(a.block_speed[BLOCK_ID], limit)

#else

/* Rows are vector code, so the steepest slopes are those of each column. */

FN bits evens_if_held(const struct sediment_args *a, long k, const struct cross d, real h)
{
    const real speed = evens_out(a, d);
    return bits_of(holds(h, LOAD(a->s[k])) ? speed : BROKEN_SPEED);
}

/* The limit of a block of w x h cells from offset k on, whose even heights allow `fastest`. */
FN bits look_closer(const struct sediment_args *args, long k, int w, int h, bits fastest,
                    const bits *steepest)
{
    const struct sediment_args a = *args;
    for (int first = 0; first < w; first += GROUP) {
        const int n = w - first < GROUP ? w - first : GROUP;
        bits carried[GROUP] = {0};
        if (real_of(most_of(steepest + first, n)) * CARRIES_MOST <= real_of(fastest))
            continue; /* a NaN is looked at */
        for (int j = 0; j < h; j++)
            INDEPENDENT for (int i = 0; i < n; i++)
                TAKE_MAX(carried, i, carries(&a, k + j * a.pitch + first + i));
        fastest = max_bits(fastest, most_of(carried, n));
    }
    return fastest;
}

#define BEGIN_LIMITS  \
    bits fastest = 0; \
    MAX_LANES(steepest)
#define LIMIT(lane, k, d, h, s)                                     \
    fastest = max_bits(fastest, evens_if_held(&a, k, d, (h).here)); \
    TAKE_MAX(steepest, lane, slopes_around(&a, k, h))
#define END_LIMITS            \
    a.block_speed[BLOCK_ID] = \
        look_closer(&a, at(a.pitch, X0, Y0), CELLS_X, CELLS_Y, fastest, steepest)
#endif

#else
#define BEGIN_LIMITS (void)0
#define FASTEST      0
#define LIMIT(lane, k, d, h, s)
#define LIMIT_OWN(d, h, s)
#define END_OWN(matters) (void)0
#define LIMIT_CLOSER     (void)0
#define END_LIMITS       (void)0
#endif

#endif
