/* Gives cells what springs bring in the step that a pass has made, and takes what sinks take: the integral of their series
 * over it, a sink no more than there is. What comes has no momentum; what is taken takes its own along. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* it computes in double precision, for few cells */
#endif

#include "num/gain.h"
#include "num/knots.h"
#include "springs.h"

NO_TILES;

/* Fraction of the square root of 41: a stride that no update of a step has (schemes/operators.c). */
#define SPRING_STRIDE 0x67332667u

/* What a spring has given each of its cells by a time, m. */
FN double given_by(const struct springs_args *a, int entry, double time)
{
    const struct spring s = a->springs[a->spring[entry]];
    return s.share * integral_to(a->knots + s.first, s.rows, time);
}

FN long in_units(double depth)
{
    return (long)(depth * SPRING_UNITS);
}

/* What all springs of a cell give it in the step, m. Rounded is what they have given in all, not what they give in a
 * step: the sum is off by a unit, however many steps there are. */
FN double gain_of(const struct springs_args *a, int from, int to)
{
    double sum = 0;
    for (int m = from; m < to; m++) {
        const double before = given_by(a, m, a->clock->start.t), now = given_by(a, m, a->clock->t);
        if (now > before) {
            counter *const own = a->sums + SPRING_SUMS * a->number[m];
            sum = sum + (now - before);
            own[GAVE] = own[GAVE] + (counter)(in_units(now) - in_units(before));
        }
    }
    return sum;
}

/* What its sinks take of that depth of water, the first one first, m. */
FN double loss_of(const struct springs_args *a, int from, int to, double h)
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
        }
    }
    return sum;
}

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
        const double gain = gain_of(&a, a.begin[n], a.begin[n + 1]);
        const double most = (double)(eta - floor) + gain;
        const double loss = loss_of(&a, a.begin[n], a.begin[n + 1], most);
        const real after =
            loss < most ? max2(gained(eta, (real)(gain - loss), dither), floor) : floor;
        const real kept = most > 0 ? (real)((most - loss) / most) : REAL(1);
        const int stands = after - floor < a.p.dry;
        a.q.eta[k] = after;
        a.q.hu[k] = stands ? REAL(0) : a.q.hu[k] * kept;
        a.q.hv[k] = stands ? REAL(0) : a.q.hv[k] * kept;
    }
}
