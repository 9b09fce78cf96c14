/* Gives cells what springs bring in the step that a pass has made, and takes what sinks take: the integral of their series
 * over it, a sink no more than there is. What comes has no momentum; what is taken takes its own along. */
#include "num/gain.h"
#include "num/knots.h"
#include "springs.h"

NO_TILES;

/* Fraction of the square root of 41: a stride that no update of a step has (schemes/operators.c). */
#define SPRING_STRIDE 0x67332667u

/* What a spring gives each of its cells in the step, m. */
FN double given(const struct springs_args *a, int entry)
{
    const struct spring s = a->springs[a->spring[entry]];
    const struct knot *const row = a->knots + s.first;
    return s.share *
           (integral_to(row, s.rows, a->clock->t) - integral_to(row, s.rows, a->clock->start.t));
}

/* What all springs of a cell give it, m. */
FN double gain_of(const struct springs_args *a, int from, int to)
{
    double sum = 0;
    for (int m = from; m < to; m++) {
        const double depth = given(a, m);
        if (depth > 0) {
            sum = sum + depth;
            a->sums[m].gave = a->sums[m].gave + depth;
        }
    }
    return sum;
}

/* What its sinks take of that depth of water, the first one first, m. */
FN double loss_of(const struct springs_args *a, int from, int to, double h)
{
    double sum = 0;
    for (int m = from; m < to; m++) {
        const double wanted = -given(a, m), left = h - sum;
        const double taken = wanted < left ? wanted : left;
        if (taken > 0) {
            sum = sum + taken;
            a->sums[m].took = a->sums[m].took + taken;
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
