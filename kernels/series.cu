/* Evaluates the series of edges at the time of a state, and finds how long a step may be for them. Separate
 * from edges.cu, because time is in double precision whatever the run's. One block.
 *
 * Volume: an edge with a discharge admits what its series specifies, whatever the steps are. Where a series
 * is straight over the step, the scheme's substeps integrate its values exactly. Elsewhere either a constant
 * is added to these, which makes their weighted sum the mean, or each is the mean. Both need the length of
 * the step before its first fluxes. Schemes that try their steps know it. Otherwise the step is planned: a
 * little shorter than the last one could have been; clock.cu rejects it if that was too long.
 *
 * Length: wave speeds are those of the water already there. For water that enters within the step the
 * condition is C dx / dt >= 3 (g q)^(1/3) for a discharge q per width, three times the critical celerity, and
 * 2 sqrt(g d) for a level d above the bed, the speed of a dam break's front. It applies to new water: q or d,
 * or if that is less, eleven times the rise over the value at the start of the step. So a step over which the
 * value grows by a tenth is as long as for that speed, and under slow change only the Courant rule counts. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* there is only one block */
#endif

#include "num/step.h"

#include "edges.h"
#include "fused.h"
#include "num/knots.h"

NO_TILES;

#define BOLDEST 4.0 /* a step is at most this many times as long as the last one might have been */

/* A series is constant before its first row and after its last one. A quotient and a sum cannot be contracted:
 * the same bits in fast mode, too. */
FN double value_at(const struct knot *row, int rows, double time)
{
    const struct knot k = row[row_at(row, rows, time)];
    return time > k.time ? k.value + (time - k.time) / k.slowness : k.value;
}

/* Whether the value stays constant; does not rely on infinity, which fast mode need not support. */
FN int stays(double slowness)
{
    return !(slowness < 1e300 && slowness > -1e300);
}

FN int bends(double a, double b)
{
    return stays(a) || stays(b) ? !(stays(a) && stays(b)) : a < b || a > b;
}

/* The first time after `begin` from which on the substeps would not integrate the series exactly; `end` if that
 * is earlier. */
FN double straight_until(const struct knot *row, int rows, double begin, double end, int quadrature)
{
    const int before = begin < row[0].time;
    const int k = row_at(row, rows, begin);
    const double slowness = before ? 1e308 : row[k].slowness;
    if (quadrature == AT_START && !stays(slowness))
        return begin;
    for (int next = k + !before; next < rows && row[next].time < end; next++)
        if (bends(slowness, row[next].slowness))
            return row[next].time;
    return end;
}

/* The new part of an incoming discharge, or of a depth, where it grows from `begin` to `most`. */
FN double news(double begin, double most)
{
    const double rise = 11 * (most - (begin > 0 ? begin : 0));
    return rise < most ? rise : most;
}

/* Whether a step of that length covers what is new in it; `reach` is C dx. */
FN int covers(const struct edge_series s, double dt, double news, double reach, double g)
{
    const double flux = 27 * g * news * dt * dt * dt, level = 4 * g * news * dt * dt;
    return s.inwards < 0 || s.inwards > 0 ? flux <= reach * reach * reach : level <= reach * reach;
}

/* The incoming discharge, or the depth above the bed. */
FN double coming(const struct edge_series s, double value)
{
    return s.inwards < 0 || s.inwards > 0 ? s.inwards * value : value - s.bed;
}

/* A straight piece of a series, for bisection: it runs from `low` to `high`, s from now, where its values are x
 * and y; `most` is the largest value before it, and the step that ends at `low` covers what is new in it. */
struct piece {
    double low, high, x, y, most;
};

FN double cut(const struct edge_series s, const struct piece p, double first, double share,
              double reach, double g)
{
    double low = p.low, high = p.high;
    UNROLL(1)
    for (int k = 0; k < 100; k++) {
        const double middle = low + 0.5 * (high - low);
        const double x = p.x + (p.y - p.x) * ((middle - p.low) / (p.high - p.low));
        const double most = x > p.most ? x : p.most;
        if (!(middle > low && middle < high))
            break;
        if (covers(s, share * middle, news(first, most), reach, g))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* How long from now, at most `limit`, a step covers the inflow within it; a step takes `share` of that time
 * where the pass makes two. */
FN double foreseen(const struct edge_series s, const struct knot *row, double now, double limit,
                   double share, double reach, double g)
{
    const double first = coming(s, value_at(row, s.rows, now));
    struct piece p;
    int k = row_at(row, s.rows, now) + (now >= row[0].time);
    p.high = 0, p.y = first, p.most = first;
    do {
        p.low = p.high, p.x = p.y;
        const int ends = k >= s.rows || !(row[k].time - now < limit);
        p.high = ends ? limit : row[k].time - now;
        p.y = coming(s, ends ? value_at(row, s.rows, now + limit) : row[k].value);
        const double most = p.y > p.most ? p.y : p.most;
        if (!covers(s, share * p.high, news(first, most), reach, g))
            return cut(s, p, first, share, reach, g);
        p.most = most;
        k++;
    } while (p.high < limit);
    return limit;
}

/* The value for a substep at a time within a step. */
FN double imposed(const struct edge_series s, const struct knot *row,
                  const struct stretch_of_time step, double time, int quadrature)
{
    const double now = value_at(row, s.rows, time);
    const int discharge = s.inwards < 0 || s.inwards > 0;
    if (!discharge || !(straight_until(row, s.rows, step.begin, step.end, quadrature) < step.end))
        return now;
    const double mean =
        (integral_to(row, s.rows, step.end) - integral_to(row, s.rows, step.begin)) / step.dt;
    const double begin = value_at(row, s.rows, step.begin), end = value_at(row, s.rows, step.end);
    const double middle = value_at(row, s.rows, step.end - 0.5 * step.dt);
    const double sum =
        quadrature == TRAPEZOID ? 0.5 * (begin + end) : (begin + end + 4 * middle) / 6;
    const double more = mean - sum, change = end - begin;
    const double small = 8 * (more > 0 ? more : -more), range = change > 0 ? change : -change;
    /* Not where the series jumps, or the sum would turn inflow into outflow. */
    const int keeps = (begin + more) * mean >= 0 && (end + more) * mean >= 0;
    const int several = quadrature == TRAPEZOID || quadrature == SIMPSON;
    return several && keeps && small <= range ? now + more : mean;
}

/* How long the step that begins now may be, for each series. */
FN double horizon(const struct series_args *a)
{
    const struct clock *c = a->clock;
    const double rest = (c->t_end - c->t) / a->steps, bold = BOLDEST * c->dt_free;
    if (a->ahead)
        return a->ahead->dt;
    if (c->fixed_dt > 0)
        return c->fixed_dt < rest ? c->fixed_dt : rest;
    return c->dt_free > 0 && bold < rest ? bold : rest;
}

/* The length that the step will have if edges impose means over it: just less than the last one might have
 * been. Nothing is known of the first step: only Euler needs a length then. */
FN double guess(const struct series_args *a, double longest)
{
    const struct clock *c = a->clock;
    const double next = c->dt_factor * c->dt_free;
    if (a->ahead)
        return a->ahead->wanted;
    if (c->fixed_dt > 0)
        return c->fixed_dt;
    if (!(c->dt_free > 0))
        return a->quadrature == AT_START ? longest : 0;
    return next < longest ? next : longest;
}

FN void shorten_tried(const struct clock *c, struct ahead *a, double longest)
{
    if (!(longest < a->dt) || c->fixed_dt > 0)
        return;
    a->wanted = longest;
    a->dt = fitted(c, longest);
    a->single = (float)a->dt;
}

/* Behind its numbers for `longest` the array holds how long from now each series stays straight, s. */
FN void plan(const struct series_args *a)
{
    struct clock *c = a->clock;
    double longest = horizon(a), straight = 1e300;
    for (int k = 0; k < a->count; k++) {
        longest = a->longest[k] < longest ? a->longest[k] : longest;
        straight = a->longest[a->count + k] < straight ? a->longest[a->count + k] : straight;
    }
    if (a->ahead)
        shorten_tried(c, a->ahead, longest);
    const double next = guess(a, longest);
    c->planned = a->ahead || c->fixed_dt > 0 || straight < next;
    c->dt_most = c->planned && !(c->fixed_dt > 0) ? next : straight < longest ? straight : longest;
}

/* The step that the state at this moment belongs to, or the one that begins. */
FN struct stretch_of_time step_of(const struct series_args *a)
{
    const struct clock *c = a->clock;
    struct stretch_of_time s;
    if (a->moment == BEFORE_STEP)
        return to_come(c, c->fixed_dt > 0 ? c->fixed_dt : c->planned ? c->dt_most : 0, a->steps);
    s.dt = c->dt;
    s.begin = a->moment == IN_SECOND ? c->start.t + c->dt : c->start.t;
    s.end = a->moment == IN_FIRST ? c->start.t + c->dt : c->t;
    return s;
}

/* `back` is 0, 1/2, 1 or 2, so that its product with dt is exact. */
KERNEL(series, struct series_args)
{
    (void)t;
    const struct clock *const c = a.clock;
    const int begins = a.moment == BEFORE_STEP;
    if (c->halt || (!begins && c->rejected))
        return;
    if (begins) {
        const double limit = horizon(&a), reach = c->courant * a.cell;
        FOR_SPAN (k, a.count) {
            const struct edge_series s = a.series[k];
            const struct knot *const row = a.knots + s.first;
            const double span =
                foreseen(s, row, c->t, a.steps * limit, 1.0 / a.steps, reach, (double)a.p.g);
            const double end = c->t + limit;
            const double bend = straight_until(row, s.rows, c->t, end, a.quadrature);
            a.longest[k] = span / a.steps;
            a.longest[a.count + k] =
                (s.inwards < 0 || s.inwards > 0) && bend < end ? bend - c->t : 1e300;
        }
        SYNC;
        ONCE plan(&a);
        SYNC;
    }
    const struct stretch_of_time step = step_of(&a);
    const double middle = step.begin + 0.5 * (step.end - step.begin);
    const double time = a.quadrature == MIDPOINT ? middle : begins ? c->t : c->t - a.back * c->dt;
    FOR_SPAN (k, a.count) {
        const struct edge_series s = a.series[k];
        a.given[s.given] = (real)imposed(s, a.knots + s.first, step, time, a.quadrature);
    }
}
