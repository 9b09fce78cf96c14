/* A Gaussian peak of water on a flat bed: thesis 4.3 (impact of block size tuning).
 *
 * The thesis prints its formula scrambled: w = 3 e^50(-x2-y2). Read here as w = 3 exp(-(x^2+y^2)/50),
 * x and y in metres from the centre: a peak of 3 m that falls by a factor e within 7.1 m and is below
 * a micrometre from 28 m on, far from the edges at 127 m. The bed is B = 0, so the ground around the
 * peak is dry. */
#include <math.h>

#include "core/registry/case.h"

static const double peak = 3, spread = 50; /* m, m2 */

static struct flow initial(double x, double y)
{
    return (struct flow){.w = peak * exp(-(x * x + y * y) / spread)};
}

const struct flow_case case_gauss = {
    .name = "gauss",
    .title = "Gaussian peak of water collapsing on dry ground",
    .cite = "Amundsen 2014, section 4.3",
    .nx = 507,
    .ny = 507,
    .lx = 253.5,
    .ly = 253.5,
    .x0 = -126.75,
    .y0 = -126.75,
    .t_end = 2,
    .gravity = 9.81,
    .boundary = {WALL, WALL, WALL, WALL},
    .bed = flat_bed,
    .initial = initial,
};
