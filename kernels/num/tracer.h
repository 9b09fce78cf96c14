/* The numerics of a tracer: a concentration c that the water carries along with its own mass flux F. The
 * kernels store c; h c is conserved, with h the depth. With
 *
 *     D = -div(F (c_face - c)),   c_face from the side that F comes from,
 *
 * an Euler step of length dt is c + dt D / h', with h' the depth after it: the balance of h c, less c times
 * that of h, over h'. So a constant c stays the same to the bit: D is a sum of zeros.
 *
 * A cell without water has no c of its own: the inflow sets it. Its rate of change then holds, instead of D,
 * the mean c of the inflow, weighted by it. */
#ifndef SHOAL_TRACER_H
#define SHOAL_TRACER_H

#include "args.h"
#include "num/depth.h"

#ifdef LIMITER /* the kernel reconstructs */

/* c at the two faces of a cell. */
struct dyes {
    real low, high;
};

/* c in a cell and in those before and after it; a cell without water has none, and no slope towards it.
 * `h_low` and `h_high` are the depths at the cell's faces. c is linear in the mass, not in space: weighted by
 * those depths the values at the two ends average to the cell's own c. So the outflow takes no more than the
 * cell has, and c stays within its bounds wherever depths stay positive. */
FN struct dyes dyes_of(real before, real here, real after, int wet_before, int wet_after,
                       real h_low, real h_high, real theta)
{
    const real to = wet_before ? here - before : REAL(0);
    const real from = wet_after ? after - here : REAL(0);
    const real half = HALF_LIMITED(to, from, theta);
    const real most = max2(h_low, h_high);
    const real part = most > REAL(0) ? half * inverse(most) : REAL(0);
    struct dyes d;
    d.low = here - part * h_high;
    d.high = here + part * h_low;
    return d;
}

/* The same where there is water in all three cells and at both faces. The larger depth has the smaller inverse, and
 * velocities take the same two. */
FN struct dyes dyes_in_open_water(real before, real here, real after, real h_low, real h_high,
                                  real theta)
{
    const real part =
        half_slope(before, here, after, theta) * min2(inverse(h_low), inverse(h_high));
    struct dyes d;
    d.low = here - part * h_high;
    d.high = here + part * h_low;
    return d;
}

#endif

FN real dye_through(real flux, real before, real after)
{
    return flux > REAL(0) ? before : after;
}

/* A cell's two faces in one direction: the mass flux through each along the axis, m2/s, and its c. */
struct dye_faces {
    real flux_low, low, flux_high, high;
};

FN struct dye_faces dye_faces(real flux_low, real low, real flux_high, real high)
{
    struct dye_faces f;
    f.flux_low = flux_low;
    f.low = low;
    f.flux_high = flux_high;
    f.high = high;
    return f;
}

/* The mean of two inflows: from the larger one towards the other, so that equal ones give their c to the bit. */
FN real dye_mixed(real m, real c, real n, real d)
{
    const int first = m > n || (m == n && c > d);
    const real from = first ? c : d, to = first ? d : c, less = first ? n : m;
    return m + n > REAL(0) ? from + (to - from) * (less * inverse(m + n)) : REAL(0);
}

/* The contribution of one direction to the rate of change of a cell: D, or for a cell without water the c of
 * the inflow. */
FN real dye_change(struct dye_faces f, real c, int wet, real inv)
{
    const real change = (f.flux_low * (f.low - c) - f.flux_high * (f.high - c)) * inv;
    real came = REAL(0);
    if (SELDOM(!wet))
        came = dye_mixed(max2(f.flux_low, REAL(0)), f.low, max2(-f.flux_high, REAL(0)), f.high);
    return wet ? change : came;
}

/* The sum over the two directions; `x` and `y` are the rates at which they fill a cell without water. */
FN real dye_changes(real in_x, real in_y, int wet, real x, real y)
{
    real came = REAL(0);
    if (SELDOM(!wet))
        came = dye_mixed(max2(x, REAL(0)), in_x, max2(y, REAL(0)), in_y);
    return wet ? in_x + in_y : came;
}

/* The same where clean water is added at the rate `more`, or evaporates, besides the rate `net` at which the
 * cell fills. */
FN real dye_diluted(real change, real c, int wet, real net, real more)
{
    if (wet)
        return change - more * c;
    return net > REAL(0) && more > REAL(0) ? change * (net * inverse(net + more)) : change;
}

/* A state as a substep uses it: depth and c at the start of the step, and in the state that the rates belong to. */
struct dye_before {
    real base_h, base, h, c;
};

/* c after the substep q'' = keep q + (1 - keep) (q* + dt R(q*)), which left the depth h; `change`, of s.c, is the
 * rate D. Depths are rounded more coarsely over deeper ground; `rise`, the rate of the depth, recovers what
 * rounding removed from a thin one. */
FN real dye_advanced(struct dye_before s, real change, real rise, real h, real keep, real dt)
{
    const real added = (REAL(1) - keep) * dt;
    real gained = added * change, exact = (REAL(1) - keep) * s.h + added * rise;
    if (keep > REAL(0)) {
        gained = gained + keep * s.base_h * (s.base - s.c);
        exact = keep * s.base_h + exact;
    }
    const real depth = max2(h, exact);
    return depth > REAL(0) ? s.c + gained * inverse(depth) : s.c;
}

/* The same of the rate of change as it is for a cell that may be without water: then the c of its inflow. */
FN real dye_after(struct dye_before s, real change, real rise, real h, real keep, real dt)
{
    const int wet = s.h > REAL(0);
    s.c = wet ? s.c : change;
    return dye_advanced(s, wet ? change : REAL(0), rise, h, keep, dt);
}

#endif
