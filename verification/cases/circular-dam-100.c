/* Circular dam break that floods a dry square of 100 m: thesis 4.5, eq. 4.1 (complete auto-tuning). */
#include "core/case.h"

static const double radius = 6.5, inside = 10, outside = 0; /* m */

static double bed(double x, double y)
{
    (void)x;
    (void)y;
    return 0;
}

static struct flow initial(double x, double y)
{
    return (struct flow){.w = x * x + y * y <= radius * radius ? inside : outside};
}

const struct flow_case case_circular_dam_100 = {
    .name = "circular-dam-100",
    .title = "circular dam break that floods a dry square of 100 m",
    .cite = "Amundsen 2014, section 4.5",
    .nx = 500,
    .ny = 500,
    .lx = 100,
    .ly = 100,
    .x0 = -50,
    .y0 = -50,
    .t_end = 4,
    .gravity = 9.81,
    .boundary = {WALL, WALL, WALL, WALL},
    .bed = bed,
    .jumps = 1,
    .initial = initial,
};
