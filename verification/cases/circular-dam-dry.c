/* Circular dam break onto dry ground: thesis 3.1.2, figure 3.2 (the choice of the time step factor). */
#include "core/case.h"

static const double radius = 2.5, inside = 2.5, outside = 0; /* m */

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

const struct flow_case case_circular_dam_dry = {
    .name = "circular-dam-dry",
    .title = "circular dam break onto dry ground",
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
