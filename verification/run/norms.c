/* The common norms. They propagate NaN. */
#include <math.h>
#include <stddef.h>

#include "core/registry/registry.h"
#include "verification/run/verify.h"

static size_t cells(const struct snapshot *s)
{
    return (size_t)s->grid.nx * (size_t)s->grid.ny;
}

/* A flow that is zero everywhere has no size to compare with: report the plain difference. */
static double share(double difference, double size)
{
    return difference / (size > 0 ? size : 1);
}

/* The larger one; a NaN counts as larger than all. */
static double larger(double a, double b)
{
    return isnan(a) || b <= a ? a : b;
}

/* Sums over all cells; `b` null: of |a|. */
static double sum_differences(const struct snapshot *s, const double *a, const double *b)
{
    double sum = 0;
    for (size_t k = 0; k < cells(s); k++)
        sum += fabs(b ? a[k] - b[k] : a[k]);
    return sum;
}

static double sum_squares(const struct snapshot *s, const double *a, const double *b)
{
    double sum = 0;
    for (size_t k = 0; k < cells(s); k++) {
        const double d = b ? a[k] - b[k] : a[k];
        sum += d * d;
    }
    return sum;
}

static double largest_difference(const struct snapshot *s, const double *a, const double *b)
{
    double most = 0;
    for (size_t k = 0; k < cells(s); k++)
        most = larger(most, fabs(b ? a[k] - b[k] : a[k]));
    return most;
}

static double mean_difference(const struct snapshot *s, const double *a, const double *b)
{
    return b ? sum_differences(s, a, b) / (double)cells(s) : (double)NAN;
}

static double height(const struct snapshot *s)
{
    return mean_difference(s, s->of[0], s->reference[0]);
}

static double share_of_sand(const struct snapshot *s)
{
    return mean_difference(s, s->of[1], s->reference[1]);
}

static double concentration(const struct snapshot *s)
{
    const int c = case_system(s->flow_case)->carried;
    return c ? mean_difference(s, s->of[c], s->reference[c]) : (double)NAN;
}

static double gained(const struct snapshot *s)
{
    return fabs(s->gained[1]) / (s->grid.ny * s->grid.dy);
}

static double l1_h(const struct snapshot *s)
{
    if (!s->rh)
        return (double)NAN;
    return share(sum_differences(s, s->h, s->rh), sum_differences(s, s->rh, NULL));
}

static double l1_q(const struct snapshot *s)
{
    if (!s->rh)
        return (double)NAN;
    return share(sum_differences(s, s->hu, s->rhu) + sum_differences(s, s->hv, s->rhv),
                 sum_differences(s, s->rhu, NULL) + sum_differences(s, s->rhv, NULL));
}

static double l2_h(const struct snapshot *s)
{
    if (!s->rh)
        return (double)NAN;
    return share(sqrt(sum_squares(s, s->h, s->rh)), sqrt(sum_squares(s, s->rh, NULL)));
}

static double max_q(const struct snapshot *s)
{
    if (!s->rh)
        return (double)NAN;
    return share(larger(largest_difference(s, s->hu, s->rhu), largest_difference(s, s->hv, s->rhv)),
                 larger(largest_difference(s, s->rhu, NULL), largest_difference(s, s->rhv, NULL)));
}

static double mean_w(const struct snapshot *s)
{
    return s->rh ? sum_differences(s, s->h, s->rh) / (double)cells(s) : (double)NAN;
}

static double mean_hu(const struct snapshot *s)
{
    return s->rh ? sum_differences(s, s->hu, s->rhu) / (double)cells(s) : (double)NAN;
}

static double mean_hv(const struct snapshot *s)
{
    return s->rh ? sum_differences(s, s->hv, s->rhv) / (double)cells(s) : (double)NAN;
}

/* From levels: the rounding of depths would hide whether a lake is exactly level. */
static double level(const struct snapshot *s)
{
    const struct flow_case *c = s->flow_case;
    const struct grid_info *g = &s->grid;
    double most = 0;
    if (!c->exact)
        return (double)NAN;
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            const size_t k = (size_t)j * (size_t)g->nx + (size_t)i;
            const int dry = s->h[k] <= 0 || s->h[k] < s->dry;
            if (!dry)
                most = larger(most, fabs(s->w[k] - c->exact(grid_x(g, i), grid_y(g, j), s->t).w));
        }
    return most;
}

static double discharge(const struct snapshot *s)
{
    return larger(largest_difference(s, s->hu, NULL), largest_difference(s, s->hv, NULL));
}

const struct norm norm_l1_h = {"L1 h", "sum of |h - ref| over sum of ref", l1_h};
const struct norm norm_l1_q = {
    "L1 q", "sum of |hu - ref| + |hv - ref| over sum of |ref hu| + |ref hv|", l1_q};
const struct norm norm_l2_h = {"L2 h", "root mean square of h - ref over that of ref", l2_h};
const struct norm norm_max_q = {
    "max q", "largest |hu - ref| or |hv - ref| over largest |ref hu| or |ref hv|", max_q};
const struct norm norm_mean_w = {"mean w", "mean of |h - ref|, m", mean_w};
const struct norm norm_mean_hu = {"mean hu", "mean of |hu - ref|, m2/s", mean_hu};
const struct norm norm_mean_hv = {"mean hv", "mean of |hv - ref|, m2/s", mean_hv};
const struct norm norm_level = {"level", "largest |w - exact w at the centre| of a wet cell, m",
                                level};
const struct norm norm_discharge = {"discharge", "largest |hu| or |hv|, m2/s", discharge};
const struct norm norm_height = {"mean h", "mean |h - reference| of the floor, m", height};
const struct norm norm_share = {"mean s", "mean |s - reference| of the share of sand",
                                share_of_sand};
const struct norm norm_mean_c = {"mean c", "mean of |c - ref| of the tracer", concentration};
const struct norm norm_gained = {
    "sand gained", "sand of layer and floor beyond the inflow, per width, m2", gained};
