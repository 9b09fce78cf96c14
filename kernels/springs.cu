/* Adds to cells the water of springs in the step that a pass has made, and removes that of sinks: the
 * integral of their series over it; a sink takes no more than there is. Incoming water has no momentum;
 * removed water takes along its own momentum, and its share of the tracer. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* it computes in double precision, for few cells */
#endif

#include "num/gain.h"
#include "num/knots.h"
#include "springs.h"

NO_TILES;

/* Fractions of the square roots of 41 and 43: strides that no update of a step has (schemes/operators.c). */
#define SPRING_STRIDE 0x67332667u
#define DYE_STRIDE    0x8eb44a87u

/* Depth that a spring has given each of its cells up to a time, m. */
FN double given_by(const struct springs_args *a, int entry, double time)
{
    const struct spring s = a->springs[a->spring[entry]];
    return s.share * integral_to(a->knots + s.first, s.rows, time);
}

FN long in_units(double depth)
{
    return (long)(depth * SPRING_UNITS);
}

/* Units of tracer in `units` of water; again the total so far is rounded. */
FN long amount(long units, double c)
{
    return (long)((double)units * c);
}

/* Water added to a cell in a step, m; and that times c. */
struct gain {
    double depth, amount;
};

/* The gain of a cell from all its springs in the step. Rounds the total that they have given, not the amount
 * of a step: the sum is off by one unit at most, however many steps there are. */
FN struct gain gain_of(const struct springs_args *a, int from, int to)
{
    struct gain sum = {0, 0};
    for (int m = from; m < to; m++) {
        const double before = given_by(a, m, a->clock->start.t), now = given_by(a, m, a->clock->t);
        const double c = a->springs[a->spring[m]].c;
        if (now > before) {
            counter *const own = a->sums + SPRING_SUMS * a->number[m];
            const long was = in_units(before), is = in_units(now);
            sum.depth = sum.depth + (now - before);
            sum.amount = sum.amount + (now - before) * c;
            own[GAVE] = own[GAVE] + (counter)(is - was);
            own[GAVE_AMOUNT] = own[GAVE_AMOUNT] +
                               (counter)(amount(is, c * a->scale) - amount(was, c * a->scale));
        }
    }
    return sum;
}

/* The loss of that depth of water to a cell's sinks, the first one first, m; `c` of it, times `scale`, goes
 * along. */
FN double loss_of(const struct springs_args *a, int from, int to, double h, double c)
{
    double sum = 0;
    for (int m = from; m < to; m++) {
        const double before = given_by(a, m, a->clock->start.t), now = given_by(a, m, a->clock->t);
        const double wanted = before - now, left = h - sum;
        const int all = wanted < left;
        const long units =
            all ? in_units(before) - in_units(now) : (long)(left * SPRING_UNITS + 0.5);
        if (wanted > 0 && left > 0) {
            counter *const own = a->sums + SPRING_SUMS * a->number[m];
            sum = sum + (all ? wanted : left);
            own[TOOK] = own[TOOK] + (counter)units;
            own[TOOK_AMOUNT] = own[TOOK_AMOUNT] + (counter)(long)((double)units * c + 0.5);
        }
    }
    return sum;
}

#ifdef WITH_TRACER
/* Mixes the gain into the cell's water, which has the depth h; returns its c. */
FN real mixed(const struct springs_args *a, long k, double h, struct gain gain)
{
    const real dye = a->carried.to[k];
    const double after = gain.depth > 0 ? ((h > 0 ? h * (double)dye : 0) + gain.amount) /
                                              ((h > 0 ? h : 0) + gain.depth)
                                        : (double)dye;
    const real dither = dither_of(a->clock->steps, DYE_STRIDE);
    const real now = h > 0 ? gained(dye, (real)(after - (double)dye), dither) : (real)after;
    a->carried.to[k] = now;
    return now;
}
#endif /* WITH_TRACER */

KERNEL(springs, struct springs_args)
{
    (void)t;
    const struct clock *const c = a.clock;
    if (c->halt || c->rejected)
        return;
    const real dither = dither_of(c->steps, SPRING_STRIDE);
    FOR_TILE (i, j, 0, 0) {
        const int n = X0 + i;
        const long k = a.cell[n];
        const real floor = floor_of(a.centre[k], a.p.still), eta = a.q.eta[k];
        const struct gain gain = gain_of(&a, a.begin[n], a.begin[n + 1]);
        const double most = (double)(eta - floor) + gain.depth;
        double carried = 0;
#ifdef WITH_TRACER
        carried = (double)mixed(&a, k, (double)(eta - floor), gain) * a.scale;
#endif /* WITH_TRACER */
        const double loss = loss_of(&a, a.begin[n], a.begin[n + 1], most, carried);
        const real after =
            loss < most ? max2(gained(eta, (real)(gain.depth - loss), dither), floor) : floor;
        const real kept = most > 0 ? (real)((most - loss) / most) : REAL(1);
        const int stands = after - floor < a.p.dry;
        a.q.eta[k] = after;
        a.q.hu[k] = stands ? REAL(0) : a.q.hu[k] * kept;
        a.q.hv[k] = stands ? REAL(0) : a.q.hv[k] * kept;
    }
}
