/* Circular dam break onto wet ground: thesis 3.1.2, eq. 3.5 (the comparison of its schemes). */
#include "core/case.h"

static const double radius = 2.5, inside = 2.5, outside = 0.5; /* m */

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

const struct flow_case case_circular_dam = {
    .name = "circular-dam",
    .title = "circular dam break onto 0.5 m of water",
    .cite = "Amundsen 2014, section 3.1.2",
    .nx = 500,
    .ny = 500,
    .lx = 40,
    .ly = 40,
    .x0 = -20,
    .y0 = -20,
    .t_end = 2,
    .gravity = 9.81,
    .boundary = {WALL, WALL, WALL, WALL},
    .bed = bed,
    .jumps = 1,
    .initial = initial,
};
