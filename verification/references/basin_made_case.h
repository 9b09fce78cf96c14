/* Shared by the manufactured cases of sediment: a steady floor and fraction, chosen freely, and the
 * supply of each sediment that keeps them. Before including this a case defines EQUAL: whether
 * alpha / Cs and beta / Cm are the same number. */
#ifndef SHOAL_BASIN_MADE_CASE_H
#define SHOAL_BASIN_MADE_CASE_H

#include <math.h>

#include "verification/run/verify.h"

#define MADE_WAVE (2 * 3.14159265358979323846 / 10) /* 1/m: 10 m long */
#define MADE_SAND 0.8                               /* compaction ratios */
#define MADE_MUD  0.5

/* A function at a point, with its slopes and the sum of its second derivatives. */
struct made {
    double f, x, y, lap;
};

/* mean + size sin(k x + phase) cos(k y). */
static inline struct made made_wave(double mean, double size, double phase, double x, double y)
{
    const double k = MADE_WAVE, sx = sin(k * x + phase), cx = cos(k * x + phase);
    const double sy = sin(k * y), cy = cos(k * y);
    return (struct made){.f = mean + size * sx * cy,
                         .x = size * k * cx * cy,
                         .y = -size * k * sx * sy,
                         .lap = -2 * size * k * k * sx * cy};
}

static inline struct made made_height(double x, double y)
{
    return made_wave(5, 0.5, 0, x, y);
}

static inline struct made made_share(double x, double y)
{
    return made_wave(0.5, 0.3, 1, x, y);
}

/* Over its compaction ratio. */
static inline struct made made_coefficient(int k, double x, double y)
{
    if (EQUAL)
        return made_wave(2, 0, 0, x, y);
    return k == 0 ? made_wave(2, 0.5, 2, x, y) : made_wave(1, 0.4, 3, x, y);
}

static inline double made_exact(double x, double y, double t, int k)
{
    (void)t;
    return k == 0 ? made_height(x, y).f : made_share(x, y).f;
}

static inline double made_value(double x, double y, int k)
{
    return made_exact(x, y, 0, k);
}

static inline double made_given(double x, double y, int k)
{
    return made_coefficient(k, x, y).f * (k == 0 ? MADE_SAND : MADE_MUD);
}

/* -div(c p grad h) of the sediment number k, whose share is p. */
static inline double made_lacks(int k, double x, double y)
{
    const struct made h = made_height(x, y), c = made_coefficient(k, x, y), s = made_share(x, y);
    const double p = k == 0 ? s.f : 1 - s.f, sign = k == 0 ? 1 : -1;
    const double slope_x = c.x * p + c.f * sign * s.x, slope_y = c.y * p + c.f * sign * s.y;
    return -(c.f * p * h.lap + slope_x * h.x + slope_y * h.y);
}

static inline double made_added(double x, double y, int k)
{
    return k == 0 ? made_lacks(0, x, y) + made_lacks(1, x, y) : made_lacks(0, x, y);
}

/* Members of both tables. */
#define MADE_BASIN                                                                     \
    .system = "sediment", .nx = 100, .ny = 100, .lx = 10, .ly = 10, .t_end = 0.1,      \
    .boundary = {PERIODIC, PERIODIC, PERIODIC, PERIODIC}, .value = made_value,         \
    .given = made_given, .added = made_added, .constant = {MADE_SAND, MADE_MUD, 0.5},  \
    .exact_value = made_exact,                                                         \
    .cite = "the method of manufactured solutions: Roache 2002; this one chosen here", \
    .verify = &verify

#define MADE_RUNS \
    .checks = checks, .ladder = {50, 100, 200, 400}, .quick = 2, .usual = 4, .dt_per_area = 0.1

#endif
