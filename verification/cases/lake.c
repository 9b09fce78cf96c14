/* A lake at rest around one submerged and one emerged island, both smooth. Whatever moves is the
 * scheme's error: rounding where all is wet, a flow of O(dx) along the shore. */
#include <math.h>

#include "verification/run/verify.h"

static const double floor_level = -2, width = 10; /* m; width: of both islands */

static double island(double x, double y)
{
    return exp(-(x * x + y * y) / (width * width));
}

/* The tops lie at -0.8 m and at +0.8 m; the level of the lake is 0. */
static double bed(double x, double y)
{
    return floor_level + 1.2 * island(x - 22, y - 14) + 2.8 * island(x + 18, y + 10);
}

static struct flow exact(double x, double y, double t)
{
    (void)x;
    (void)y;
    (void)t;
    return (struct flow){.w = 0};
}

static const char measured[] = "1.5 times what rk2 reached in f64";
static const char shore[] = "the flow at an emerged shore is of O(dx)";

static const struct check checks[] = {
    {&norm_level, .n = 64, .most = 0.24, .why = measured},
    {&norm_level, .n = 128, .most = 0.125, .why = measured},
    {&norm_discharge, .n = 64, .most = 0.21, .why = measured},
    {&norm_discharge, .n = 128, .most = 0.135, .why = measured},
    {&norm_level, .n = 128, .order = 0.75, .why = shore},
    {&norm_discharge, .n = 128, .order = 0.5, .why = shore},
    {0},
};

static const struct verification verify = {
    .checks = checks,
    .ladder = {64, 128, 256},
    .quick = 2,
    .usual = 2,
};

const struct flow_case case_lake = {
    .name = "lake",
    .title = "lake at rest with a submerged and an emerged island",
    .cite = "the C-property of Bermudez and Vazquez 1994; islands chosen here",
    .nx = 256,
    .ny = 256,
    .lx = 100,
    .ly = 100,
    .x0 = -50,
    .y0 = -50,
    .t_end = 50,
    .gravity = 9.81,
    .boundary = {WALL, WALL, WALL, WALL},
    .bed = bed,
    .exact = exact,
    .verify = &verify,
};
