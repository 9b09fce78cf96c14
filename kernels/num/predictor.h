/* Half-step predictor of MUSCL-Hancock (van Leer 1984; Toro 2001, section 11.5).
 *
 * All four faces get the same increments of the level and of both velocities, from the half slopes between
 * the ends: with lx = dt/dx, ly = dt/dy, half slopes sx and sy of level w, velocities u, v and discharges,
 *
 *     Dw = -(lx sx(hu) + ly sy(hv)),
 *     Du = -(lx (u sx(u) + g sx(w)) + ly v sy(u)),   Dv = -(lx u sx(v) + ly (v sy(v) + g sy(w))),
 *
 * and half a step of friction, implicit, and of a case's forcing. The slope of the surface sx(w) is that in
 * the bed's source: where water is at rest it is zero, so nothing moves and the ends stay the same to the
 * bit. Where the surface cuts the bed, slopes of velocities and depths do not predict the flow, and the ends stay the
 * same, too. Beside a shore, at the thin end of a cell on a steep bed, the water has nearly the velocity of the cell.
 *
 * Positivity. Through a face, of a flux by two waves -am, ap <= A, the step loses at most h (A + u)/2, with u
 * the velocity out of the cell (ap (u - am)/(ap - am) grows with ap and -am). With A dt/dx <= MOST_COURANT at
 * all faces a cell stays positive if this, summed over its four ends, is no more than its depth: `kept_share`
 * ensures that. The bound on A holds because the Courant number is 0.45 at most, by the speeds of the ends
 * before the half step, and no increment makes them faster by more than a tenth. */
#ifndef SHOAL_PREDICTOR_H
#define SHOAL_PREDICTOR_H

#include "num/face.h"
#include "num/rates.h"
#include "num/update.h"

/* In fast mode the same with fewer operations. */
#ifdef FAST
#define FEWER_OPERATIONS 1
#else
#define FEWER_OPERATIONS 0
#endif

#define FASTER       REAL(0.1)
#define MOST_COURANT REAL(0.495)

/* The states of a cell at two faces, the rise of its surface from one to the other, and half the difference
 * of the discharge across. */
struct both_ends {
    struct side low, high;
    real rise, across;
    real tilt; /* half of the rise */
};

/* The bed's source between them. */
FN real source_within(struct both_ends e, real g)
{
    return source_between(e.low, e.high, e.tilt, REAL(2) * g);
}

/* Over a bed with steps a dry cell stays as high as its middle towards lower water, so that the water does
 * not come over the face half a step later. */
FN struct surface kept_out(struct surface w, const struct three s)
{
    w.to_low = s.rise_to > REAL(0) ? max2(w.to_low, REAL(0)) : w.to_low;
    w.to_high = s.rise_from < REAL(0) ? max2(w.to_high, REAL(0)) : w.to_high;
    return w;
}

/* Whether the surface cuts the bed within a cell, so that its slope is not that of the water. */
FN int cuts_bed(struct surface open, const struct physics p)
{
    return STEPPED_BED ? at_shore(open, p) : min2(open.low, open.high) < p.dry;
}

/* Whether the surface leaves one end of a cell much less water than the cell has. Over a bed with steps the limited
 * quantities are velocities, and no end has one of its own. */
#define THIN_END REAL(0.6) /* of the cell's depth */
FN int thin_end(struct surface open)
{
    return !STEPPED_BED &&
           min2(open.low, open.high) < (REAL(0.5) * THIN_END) * (open.low + open.high);
}

#if defined(__CUDACC__) && PRECISION == 64
/* Whether one of two depths may be 7/3 of the other, as at a thin end: then the integers are at least 7/6 OCTAVE apart. */
FN int far_apart(int low, int high)
{
    const unsigned most = OCTAVE + OCTAVE / 7;
    return (unsigned)high - (unsigned)low + most > 2 * most;
}
#endif

/* Whether a cell with these surfaces along x and y is not open water, or thin at an end: a little sooner than thin_end()
 * finds, as the sums of depths along x and y are rounded apart. */
FN int needs_care(struct surface x, struct surface y, const struct physics p)
{
    if (STEPPED_BED)
        return at_shore(x, p) | at_shore(y, p);
#if defined(__CUDACC__) && PRECISION == 64
    const int west = upper_word(x.low), east = upper_word(x.high);
    const int south = upper_word(y.low), north = upper_word(y.high);
    const int one = west < east ? west : east, other = south < north ? south : north;
    return ((one < other ? one : other) <= upper_word(p.shallow)) | far_apart(west, east) |
           far_apart(south, north);
#endif
    const real least = max2((REAL(0.505) * THIN_END) * (x.low + x.high), p.shallow);
    return min2(min2(x.low, x.high), min2(y.low, y.high)) < least;
}

/* Beside a shore the bed rises across a cell by a good part of its depth. The discharge at the thin end, limited as if
 * nothing were there, is then too large for the little water there, and the quotient, a velocity, many times that of
 * the cell: a jet runs ahead of the shore, and all time steps are short for it. So both ends move much like the cell: the more so
 * the thinner the end, from THIN_END of the cell's depth to half of that, and the steeper the bed, from a rise of STEEP_RISE
 * of the depth to twice that. (A switch would keep some steady flows from coming to rest.) A thin end above a bed that is
 * nearly level is a part of a wave, whose velocities differ. And slow water makes no jet: the thin end may always move faster or
 * slower than the cell by CALM of the celerity there. Returns how far the ends move apart, a from 0 to 1: from the middle to the
 * end the depth h falls by d and the discharge q by n, and the velocity at the end is (q - a n)/(h - a d), which differs from
 * q/h by a |q d - n h|/(h (h - a d)). */
#define STEEP_RISE REAL(0.5) /* of the cell's depth */
#define CALM       REAL(0.3)
FN real ends_apart(struct surface open, const struct three s, real n, real t,
                   const struct physics p)
{
    const real depth = REAL(0.5) * (open.low + open.high), end = min2(open.low, open.high),
               part = inverse(depth), fall = REAL(0.5) * (open.high - open.low);
    const real thick = (part * end - REAL(0.5) * THIN_END) * (REAL(2) / THIN_END);
    const real level =
        (REAL(2) * STEEP_RISE - part * abs1(s.high - s.low)) * (REAL(1) / STEEP_RISE);
    const real along = abs1(product(s.here.n, fall) - product(n, depth));
    const real aside = abs1(product(s.here.t, fall) - product(t, depth));
    const real bound = CALM * celerity(depth, p.g), bounded = product(bound, abs1(fall));
    const real calm = part_of(bound * depth, product(part, max2(along, aside)) + bounded);
    return max2(calm, min2(REAL(1), max2(thick, level)));
}

/* `careful`: not all of the row is open water; `imposed`: an edge has found out what crosses one of the ends. */
FN struct both_ends ends_from(struct surface open, const struct three s, int careful, int imposed,
                              const struct physics p)
{
    const struct cell c = s.here;
    const int shore = careful && at_shore(open, p);
    const struct surface tilted = shore ? surface_at_shore(open, s, p) : open;
    const struct surface w =
        STEPPED_BED && careful && no_water(c, p) ? kept_out(tilted, s) : tilted;
    const real n = half_slope(s.before.n, c.n, s.after.n, p.theta);
    const real t = half_slope(s.before.t, c.t, s.after.t, p.theta);
    const int near = !STEPPED_BED && careful && !imposed && !cuts_bed(open, p) && thin_end(w);
    const real mean = REAL(0.5) * (w.low + w.high),
               apart = near ? ends_apart(w, s, n, t, p) : REAL(1);
    const real dn = near ? product(apart, n) : n, dt = near ? product(apart, t) : t;
    const real of_low = near ? mean + apart * (w.low - mean) : w.low;
    const real of_high = near ? mean + apart * (w.high - mean) : w.high;
    struct both_ends e;
    e.low = side_under(c.eta + w.to_low, of_low, c.n - dn, c.t - dt, shore, p);
    e.high = side_under(c.eta + w.to_high, of_high, c.n + dn, c.t + dt, shore, p);
    e.low.h = w.low, e.high.h = w.high;
    e.rise = w.to_high - w.to_low;
    e.tilt = tilt_of(w, careful);
    e.across = STEPPED_BED ? REAL(0.5) * (e.high.h * e.high.un - e.low.h * e.low.un) : n;
    return e;
}

/* Upper bounds of the depth and |u|+c of a cell's ends in one direction. */
struct reach {
    real h, speed;
};

FN struct reach reach_of(struct both_ends e, real g)
{
    struct reach r;
    r.h = max2(e.low.h, e.high.h);
    r.speed = max2(abs1(e.low.un), abs1(e.high.un)) + celerity(r.h, g);
    return r;
}

FN struct increments no_increments(void)
{
    struct increments d;
    d.w = d.u = d.v = REAL(0);
    return d;
}

/* A cell's values besides its ends: depth, rate of friction, forcing. */
struct drive {
    real h, drag;
    struct state force;
    int forced; /* it has forcing */
};

FN real within(real x, real most)
{
    return with_sign_of(x, min2(abs1(x), most));
}

/* Half a step of friction. */
FN struct increments slowed(struct increments d, real u, real v, struct drive drive, real dt)
{
    if (FRICTION) {
        const real half = REAL(0.5) * dt * drive.drag, left = inverse(REAL(1) + half);
        d.u = left * mul_add(-half, u, d.u);
        d.v = left * mul_add(-half, v, d.v);
    }
    return d;
}

/* Half a step without forcing, with fewer operations. */
FN struct increments half_step_by_slopes(struct both_ends x, struct both_ends y, struct drive drive,
                                         real u, real v, real dt, real lx, real ly, real g)
{
    const real ux = (REAL(-0.5) * lx) * u, vy = (REAL(-0.5) * ly) * v;
    struct increments d;
    d.w = -lx * x.across - ly * y.across;
    d.u = mul_add(-lx * g, x.tilt, mul_add(ux, x.high.un - x.low.un, vy * (y.high.ut - y.low.ut)));
    d.v = mul_add(-ly * g, y.tilt, mul_add(vy, y.high.un - y.low.un, ux * (x.high.ut - x.low.ut)));
    return slowed(d, u, v, drive, dt);
}

/* Half a step. `dt` in s, and divided by the cell sizes. */
FN struct increments half_step(struct both_ends x, struct both_ends y, struct drive drive, real dt,
                               real lx, real ly, real g)
{
    const real u = REAL(0.5) * (x.low.un + x.high.un), v = REAL(0.5) * (y.low.un + y.high.un);
    if (!drive.forced)
        return half_step_by_slopes(x, y, drive, u, v, dt, lx, ly, g);
    const real xu = u * (x.high.un - x.low.un) + g * x.rise, xv = u * (x.high.ut - x.low.ut);
    const real yv = v * (y.high.un - y.low.un) + g * y.rise, yu = v * (y.high.ut - y.low.ut);
    const real part = inverse(drive.h);
    struct increments d;
    d.w = REAL(0.5) * dt * drive.force.eta - (lx * x.across + ly * y.across);
    d.u = REAL(0.5) * (dt * (part * (drive.force.hu - u * drive.force.eta)) - (lx * xu + ly * yu));
    d.v = REAL(0.5) * (dt * (part * (drive.force.hv - v * drive.force.eta)) - (lx * xv + ly * yv));
    return slowed(d, u, v, drive, dt);
}

/* Bounds the increments: no end runs dry, and none becomes faster than the positivity of the step allows. */
FN struct increments bounded(struct increments d, struct both_ends x, struct both_ends y,
                             struct reach rx, struct reach ry)
{
    const real least = min2(min2(x.low.h, x.high.h), min2(y.low.h, y.high.h));
    d.w = max2(min2(d.w, FASTER * min2(rx.h, ry.h)), REAL(-0.5) * least);
    d.u = within(d.u, REAL(0.5) * FASTER * rx.speed);
    d.v = within(d.v, REAL(0.5) * FASTER * ry.speed);
    return d;
}

/* What friction leaves of a rate of change over a step, to second order where it acts along the flow. With dq/dt = R - a q,
 * and a = s + k of Manning's s, which goes with |q| / h^(7/3), and linear drag k,
 *
 *     q' = q + b dt (R - a' q) / (1 + b dt a'),   a' = a + s y (y - 7) / 6,   y = (h' - h) / h',   b = 1 + dt k / 2:
 *
 * b/(1 + b dt a') = 1 - dt (2 s + k)/2 + ..., as a q changes with 2 s + k times q; and a' is a in the middle of the step, but
 * for y^2. A steady flow, R = a q and y = 0, does not depend on dt. As y < 1, a' > 0: friction alone never turns the flow. */
struct friction {
    real rate, left; /* a', b/(1 + b dt a') */
};

/* `deeper`: y. Where a cell was dry, a is 0 and 0 <= y <= 1, so 0 <= a' <= k. */
FN struct friction friction_over(real dt, real a, real deeper, const struct physics p)
{
    struct friction f;
    const real more = REAL(1) + REAL(0.5) * dt * p.drag;
    f.rate = a + (a - p.drag) * (deeper * (deeper - REAL(7)) * REAL(0.16666666666666667));
    f.left = more * inverse(REAL(1) + dt * more * f.rate);
    return f;
}

/* One over the depth; 0 of water that will have no momentum. */
FN real inverse_wet(real h, real dry)
{
    return h < dry ? REAL(0) : inverse(h);
}

/* Rates at which a step has changed level and velocities, including friction, without rounding. `part`:
 * inverse_wet() of the depth after it. */
FN struct increments rates_taken(struct state rate, struct state after, real part)
{
    const real u = part * after.hu, v = part * after.hv;
    struct increments r;
    r.w = rate.eta;
    r.u = part * mul_add(-u, rate.eta, rate.hu);
    r.v = part * mul_add(-v, rate.eta, rate.hv);
    return r;
}

/* The one nearer to 0; 0 where their signs differ. */
FN real continued(real wanted, real most)
{
#if defined(__CUDACC__) && defined(FAST) && PRECISION == 32
    return wanted * part_of(most, wanted);
#elif defined(__CUDACC__) && defined(FAST)
    return with_equal_signs(wanted, most, abs1(wanted) < abs1(most) ? wanted : most);
#endif
    return max2(min2(wanted, most), REAL(0)) + min2(max2(wanted, most), REAL(0));
}

/* In a steady flow slopes cancel only to truncation error; the remainder would persist and depend on dt, so
 * limit it by the last step's change: the half step goes only in that direction, and by at most MOST_CHANGE
 * times that; where the flow is smooth it is half of it. Then a steady flow is that of the fluxes between the
 * cells' ends, as in schemes of several stages. */
#define MOST_CHANGE REAL(2)
FN struct increments as_changed(struct increments d, struct increments rate, real dt)
{
    const real most = MOST_CHANGE * dt;
    d.w = continued(d.w, most * rate.w);
    d.u = continued(d.u, most * rate.u);
    d.v = continued(d.v, most * rate.v);
    return d;
}

FN struct side moved(struct side s, real dw, real dn, real dt)
{
    s.h = s.h + dw;
    s.w = s.w + dw;
    s.un = s.un + dn;
    s.ut = s.ut + dt;
    return s;
}

/* The factor for the depths of a cell's ends with which it loses no more than its own depth. */
FN real kept_share(struct both_ends x, struct both_ends y, real h, real lx, real ly)
{
    const real depths = (x.low.h + x.high.h) + (y.low.h + y.high.h);
    const real from_x = x.high.h * x.high.un - x.low.h * x.low.un;
    const real from_y = y.high.h * y.high.un - y.low.h * y.low.un;
    return part_of(h, mul_add(REAL(0.5) * MOST_COURANT, depths,
                              REAL(0.5) * lx * from_x + REAL(0.5) * ly * from_y));
}

FN struct side with_less(struct side s, real share)
{
    const real h = share * s.h;
    s.w = s.w - (s.h - h);
    s.h = h;
    return s;
}

#endif
