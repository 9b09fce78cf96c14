/* States at faces: reconstruction, correction for wet-dry fronts, velocities; and the numerical flux. Both
 * directions and all schemes use this text.
 *
 * The recipe names the plug-ins: LIMITER, FLUX and RECONSTRUCTION are functions; LIMITER_FILE, FLUX_FILE and
 * RECONSTRUCTION_FILE are the headers that define them. */
#ifndef SHOAL_FACE_H
#define SHOAL_FACE_H

#include "args.h"
#include "num/depth.h"
#include "num/riemann.h"
#include LIMITER_FILE
#include RECONSTRUCTION_FILE
#include FLUX_FILE

/* What the plug-ins' headers may define. STEPPED_BED, in a reconstruction: each cell has its own bed, which
 * steps at the faces; otherwise the bed is continuous, and bilinear in each cell. With steps RECONSTRUCTION
 * returns the bed's level at the face between two sides, otherwise the slope of a cell's surface. BED_IN_FLUX
 * and PRESSURE_OUT: see riemann.h. */
#ifndef STEPPED_BED
#define STEPPED_BED 0
#endif
#ifndef BED_IN_FLUX
#define BED_IN_FLUX 0
#endif
#ifndef PRESSURE_OUT
#define PRESSURE_OUT 0
#endif

/* SUBMERGED, in a recipe: all ground lies below the still level, so the still level is the level at rest
 * everywhere; and with a continuous bed nothing else needs the bed at cells' centres. */
#ifndef SUBMERGED
#define SUBMERGED 0
#endif
#define ASKS_CENTRES (STEPPED_BED || !SUBMERGED)
#ifdef WITH_TRACER
/* A tracer needs to know which cells have water. CENTRES_SELDOM, in a kernel: it looks their centres up only where
 * it has no other way to tell. */
#ifndef CENTRES_SELDOM
#undef ASKS_CENTRES
#define ASKS_CENTRES 1
#endif
#endif /* WITH_TRACER */

/* FROM_STILL, in a kernel: over submerged ground it subtracts the still level from a continuous bed on
 * loading. */
#ifndef FROM_STILL
#define FROM_STILL 0
#endif
#if STEPPED_BED || !SUBMERGED
#undef FROM_STILL
#define FROM_STILL 0
#endif

FN real rest_above(real bed, const struct physics p)
{
    if (FROM_STILL)
        return REAL(0);
    return SUBMERGED ? p.still : at_rest(bed, p.still);
}

/* Cell averages: water as stored (struct fields); level at rest, and eta of the cell if it were dry; normal and
 * tangential to the face the quantities to limit: discharges over a continuous bed, velocities over one with
 * steps. */
struct cell {
    real eta, rest, floor, n, t;
};

/* Factor that turns discharges into the quantities to limit. */
FN real limited_part(real depth, const struct physics p)
{
#if STEPPED_BED
    return inverse_depth(depth, p.kappa4);
#else
    (void)depth, (void)p;
    return REAL(1);
#endif
}

FN struct cell cell_on(real eta, real n, real t, real bed, const struct physics p)
{
    struct cell c;
    c.eta = eta;
    c.rest = rest_above(bed, p);
    c.floor = bed - c.rest;
    c.n = n;
    c.t = t;
    return c;
}

/* From discharges. */
FN struct cell limited(struct cell c, const struct physics p)
{
    if (STEPPED_BED) {
        const real part = limited_part(c.eta - c.floor, p);
        c.n = part * c.n;
        c.t = part * c.t;
    }
    return c;
}

/* Rise of the surface from one cell to the next. It forms no level, which would be rounded as coarsely as the
 * ground is high; levels at rest are multiples of the unit that the bed is rounded to, so their difference is
 * exact. */
FN real rise_between(struct cell from, struct cell to)
{
#ifdef FAST
    if (SUBMERGED)
        return to.eta - from.eta;
#endif
    return (to.eta - from.eta) + (to.rest - from.rest);
}

/* The middle one of three cells on a line, between faces at which the bed lies at `low` and `high`, and the
 * rise of the surface to it and from it. */
struct three {
    struct cell before, here, after;
    real rise_to, rise_from, low, high;
};

FN struct three three_cells(struct cell before, struct cell here, struct cell after, real rise_to,
                            real rise_from, real low, real high)
{
    struct three s;
    s.before = before;
    s.here = here;
    s.after = after;
    s.rise_to = rise_to;
    s.rise_from = rise_from;
    s.low = low;
    s.high = high;
    return s;
}

/* A limiter may define half its result, where that takes fewer operations. */
#ifndef HALF_LIMITED
#define HALF_LIMITED(a, b, theta) (REAL(0.5) * LIMITER(a, b, theta))
#endif

/* Half of the limited difference across the middle one of three values. */
FN real half_slope(real before, real here, real after, real theta)
{
    return HALF_LIMITED(here - before, after - here, theta);
}

FN real half_rise(const struct three s, real theta)
{
    return HALF_LIMITED(s.rise_to, s.rise_from, theta);
}

/* Water thinner than `dry` stands still. */
FN int no_water(struct cell c, const struct physics p)
{
    return c.eta - c.floor < p.dry;
}

/* Depths below `least` count as none: rounding must not make a film that flows (paper III, 4, "performance"). */
FN real depth_or_none(real h, real least)
{
    return h < least ? REAL(0) : h;
}

/* The least depth that flows out of a cell; none flows out of one without water. */
FN real least_depth(struct cell c, const struct physics p)
{
    return no_water(c, p) ? REAL(1e30) : p.dry;
}

/* The states of a cell at its two faces, and the source in between, times the cell's size: that of the bed's
 * slope, -g h dB, and the pressures of the cell at its own faces, which the fluxes leave out. Together they
 * are -g h dw: zero where the surface is level (Audusse et al. 2004, section 4.3; for a continuous bed, where
 * the source is a difference of pressures, too, Kurganov and Petrova 2007, eq. 2.17). */
struct halves {
    struct side low, high;
    real source;
};

FN struct side side_of(real h, real un, real ut, real w)
{
    struct side s;
    s.h = h;
    s.un = un;
    s.ut = ut;
    s.w = w;
    s.b = REAL(0);
#ifdef DRAINING
    s.most = REAL(1e30);
#endif /* DRAINING */
    return s;
}

/* `rise`: rise of the surface across the cell. */
FN real source_between(struct side low, struct side high, real rise, real g)
{
    return (REAL(-0.5) * g) * ((low.h + high.h) * rise);
}

#ifdef DRAINING
#include "num/draining.h"
/* DRAINS_LATER, in a kernel: it reduces fluxes itself, where the bed adds nothing to them. */
#if !defined(DRAINS_LATER) || defined(BED_BELOW_SIDES)
#undef DRAINS_LATER
#define DRAINS_LATER 0
#endif
#endif /* DRAINING */

/* The flux, as the cells on the two sides see it, without their pressures. */
FN struct flux flux_less_pressure(struct side l, struct side r, real g)
{
    struct flux f = FLUX(l, r, g);
#if !PRESSURE_OUT
    f.n_after = (BED_IN_FLUX ? f.n_after : f.n) - pressure(r.h, g);
    f.n = f.n - pressure(l.h, g);
#endif
#ifdef DRAINING
    if (!DRAINS_LATER)
        f = drained(f, l, r);
#endif /* DRAINING */
    return f;
}

/* The surface of a cell at its two faces: its height there above the cell's level, and the depths under it. */
struct surface {
    real to_low, to_high, low, high;
};

FN struct surface surface_of(real to_low, real to_high, real low, real high)
{
    struct surface w;
    w.to_low = to_low;
    w.to_high = to_high;
    w.low = low;
    w.high = high;
    return w;
}

/* In open water the surface cuts the bed at neither face. A depth is rounded once: numbers close to zero are
 * added first, so that a low wave does not get lost in deep water. */
FN struct surface open_water(const struct three s, const struct physics p)
{
    const real half = half_rise(s, p.theta);
    if (FROM_STILL)
        return surface_of(-half, half, (s.here.eta - half) - s.low, (s.here.eta + half) - s.high);
    return surface_of(-half, half, (s.here.rest - s.low) + (s.here.eta - half),
                      (s.here.rest - s.high) + (s.here.eta + half));
}

/* Half the rise across the cell; the surface is symmetric, but for one at a shore over a bed with steps. */
FN real tilt_of(struct surface w, int careful)
{
    return STEPPED_BED && careful ? REAL(0.5) * (w.to_high - w.to_low) : w.to_high;
}

/* Whether a cell with that surface is not open water. Over a continuous bed: the surface leaves no depth at a
 * face, or so little that velocities need care. Over one with steps: it leaves less than half of the mean
 * depth. */
FN int at_shore(struct surface open, const struct physics p)
{
    const real least = STEPPED_BED ? max2(REAL(0.25) * (open.low + open.high), p.film) : p.shallow;
    return min2(open.low, open.high) < least;
}

#if STEPPED_BED
#include "num/face_stepped.h"
#else

/* At a shore. Where the water is at rest the depth is exactly the level less the bed, and the same on both
 * sides. */
FN struct surface surface_at_shore(struct surface open, const struct three s,
                                   const struct physics p)
{
    struct cell c = s.here;
    c.floor = REAL(0.5) * (s.low + s.high) - c.rest;
    const real low = c.eta + (c.rest - s.low), high = c.eta + (c.rest - s.high);
    const real d = RECONSTRUCTION(open.to_high, low, high), least = least_depth(c, p);
    return surface_of(-d, d, depth_or_none(low - d, least), depth_or_none(high + d, least));
}

/* The sides of one face share its bed. */
FN struct flux flux_between(struct side l, struct side r, real rest_l, real rest_r, real g)
{
    (void)rest_l, (void)rest_r;
    l.b = r.b = l.w = r.w = REAL(0);
    return flux_less_pressure(l, r, g);
}

#endif

/* The factor that turns the limited quantities into velocities where the depth is h. */
FN real part_under(real h, int shore, const struct physics p)
{
    return STEPPED_BED ? REAL(1) : shore ? inverse_depth(h, p.kappa4) : inverse(h);
}

/* `over`: the level, above the cell's level at rest; n and t: the limited quantities, at the face. */
FN struct side side_under(real over, real h, real n, real t, int shore, const struct physics p)
{
    const real part = part_under(h, shore, p);
    return side_of(h, part * n, part * t, STEPPED_BED ? over : REAL(0));
}

/* `open`: the surface as in open water; `careful`: the cell may be at a shore. */
FN struct halves reconstructed_from(struct surface open, const struct three s, int careful,
                                    const struct physics p)
{
    const struct cell c = s.here;
    const int shore = careful && at_shore(open, p);
    const struct surface w = shore ? surface_at_shore(open, s, p) : open;
    const real n = half_slope(s.before.n, c.n, s.after.n, p.theta);
    const real t = half_slope(s.before.t, c.t, s.after.t, p.theta);
    struct halves ends;
    ends.low = side_under(c.eta + w.to_low, w.low, c.n - n, c.t - t, shore, p);
    ends.high = side_under(c.eta + w.to_high, w.high, c.n + n, c.t + t, shore, p);
    ends.source = source_between(ends.low, ends.high, tilt_of(w, careful), REAL(2) * p.g);
#ifdef FAST
    if (careful) /* nvcc makes faster code of both ways together */
        ends.source = source_between(ends.low, ends.high, w.to_high - w.to_low, p.g);
#endif
    return ends;
}

FN struct halves reconstructed(const struct three s, const struct physics p)
{
    const struct surface open = open_water(s, p);
    if (ANY_OF_WARP(at_shore(open, p)))
        return reconstructed_from(open, s, 1, p);
    return reconstructed_from(open, s, 0, p);
}

#ifdef DRAINING
/* PASSAGE, in a kernel that shares out the water of cells: a struct passage. */
#ifdef PASSAGE
FN struct halves reconstructed_to_drain(const struct three s, const struct passage way,
                                        const struct physics p)
{
    return shared_out(reconstructed(s, p), s, way, 1, p);
}

FN struct halves reconstructed_from_to_drain(struct surface open, const struct three s, int careful,
                                             const struct passage way, const struct physics p)
{
    return shared_out(reconstructed_from(open, s, careful, p), s, way, careful, p);
}

#define reconstructed(s, p) reconstructed_to_drain(s, PASSAGE, p)
#define reconstructed_from(open, s, careful, p) \
    reconstructed_from_to_drain(open, s, careful, PASSAGE, p)
#endif
#endif /* DRAINING */

/* The largest |u|+c on either side of a face. Not by max2, which on a GPU loses NaN: the clock must see it. */
FN real faster(struct side l, struct side r, real g)
{
    const real al = abs1(l.un) + celerity(l.h, g), ar = abs1(r.un) + celerity(r.h, g);
#if defined(FAST) && PRECISION == 32 && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    real most;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(most) : "f"(al), "f"(ar));
    return most;
#endif
    return al > ar ? al : ar;
}

/* Stores the mass flux through the domain's rim, or adds it to the stored one. */
FN void keep(real *rim, real flux, int add)
{
    *rim = add ? *rim + flux : flux;
}

#endif
