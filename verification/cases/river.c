/* A river falls from 3000 m to the sea over 60 km: relief, not only height, which levels in f32
 * cannot resolve. The numbers are chosen here. The floor of the valley falls by 16 m in 100 m at
 * first, as in mountains, and by 0.8 m in the end, and goes on below the sea, whose water stands in
 * the estuary. The river is as deep at first as its discharge flows uniformly; springs at its head,
 * 2 km long, go on feeding it. The valley opens into a coast, where the river spreads. y is
 * measured from the river's middle. */
#include <math.h>

#include "core/registry/case.h"

static const double height = 3000, length = 60e3; /* m */
static const double fall = 20e3; /* m, along which the floor's slope falls by a factor e */
static const double half_width = 1000, coast = 50e3, opening = 5e3; /* of the floor; m */
static const double discharge = 2;                                  /* m2/s */
static const double sea = 10;                                       /* deep at the mouth, m */
static const double manning = 0.07; /* boulders and bends, s/m^(1/3) */
static const double head = 2e3;     /* m of springs */

/* From `height` down to `sea` below it. */
static double floor_level(double x)
{
    const double last = exp(-length / fall);
    return -sea + (height + sea) * (exp(-x / fall) - last) / (1 - last);
}

static double slope(double x)
{
    return (height + sea) * exp(-x / fall) / (fall * (1 - exp(-length / fall)));
}

/* Of the floor, as a multiple of `half_width`. */
static double width(double x)
{
    return 1 + 2 * fmin(fmax((x - coast) / opening, 0), 1);
}

/* How far beside the floor, m. */
static double beside(double x, double y)
{
    return fmax(fabs(y) - half_width * width(x), 0);
}

static double bed(double x, double y)
{
    return floor_level(x) + 0.1 * beside(x, y);
}

/* The discharge there: the springs are even, and it spreads with the floor. */
static double discharge_at(double x)
{
    return discharge * fmin(x / head, 1) / width(x);
}

/* Manning's formula for a wide river. */
static double uniform_depth(double x)
{
    return pow(manning * discharge_at(x) / sqrt(slope(x)), 0.6);
}

static struct flow initial(double x, double y)
{
    const double h = uniform_depth(x), level = floor_level(x) + h;
    if (level <= 0)
        return (struct flow){.w = 0};
    return (struct flow){.w = level, .u = beside(x, y) > 0 || !(h > 0) ? 0 : discharge_at(x) / h};
}

static struct forcing springs(double x, double y)
{
    return (struct forcing){.w = x < head && beside(x, y) <= 0 ? discharge / head : 0};
}

const struct flow_case case_river = {
    .name = "river",
    .title = "a river falls from 3000 m to the sea",
    .cite = "chosen here",
    .nx = 300,
    .ny = 30,
    .lx = 60e3,
    .ly = 6000,
    .y0 = -3000,
    .t_end = 7200,
    .gravity = 9.81,
    .manning = manning,
    .kappa = 0.01,
    .boundary = {WALL, LEVEL, WALL, WALL},
    .edge = {[EAST] = {.h = 0}},
    .bed = bed,
    .initial = initial,
    .forcing = springs,
};
