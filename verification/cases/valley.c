/* A dam breaks above a winding valley that opens into a plain and the sea: terrain by formula, of the
 * size and kind of the Malpasset valley (paper III, section 4: 1099 x 439 cells of 15 m, 4000 s, n =
 * 0.033), which is not ours to ship. What is measured on it is speed, and what is tested is the way of
 * a flood through the program; there is no survey to compare with.
 *
 * The numbers are chosen here: a reservoir of 48 million m3 at 100 m above the sea, as there, behind a
 * dam in a gorge 4.5 km from the western edge; the valley's floor falls from 40 m at the dam to the sea
 * 8.3 km below. All edges are walls. y is measured from the domain's middle. */
#include <math.h>

#include "core/registry/case.h"

static const double pi = 3.14159265358979323846;
static const double dam = 4500, lake = 100, sea = 0; /* x of the dam, levels, m */

/* The floor along the valley: up to the reservoir's end one way, down into the sea the other. */
static double floor_level(double x)
{
    double below = x - dam;
    return below < 0 ? 40 - 0.016 * below : 40 * exp(-below / 4000) - 0.0006 * below;
}

/* Where the floor runs; it winds less and less on the plain. */
static double thalweg(double x)
{
    return 420 * sin(2 * pi * (x - dam) / 3600) * exp(-fabs(x - dam) / 6000);
}

/* Distance from the thalweg at which a slope is half as high as it gets: a gorge at the dam, a basin
 * above it, a plain from 3 km below on. */
static double half_width(double x)
{
    double below = x - dam, away = below / 900, open = (below - 3000) / 2500;
    double plain = open > 0 ? 1100 * (1 - exp(-open * open)) : 0;
    return 110 + (below < 0 ? 740 : 190) * (1 - exp(-away * away)) + plain;
}

static double bed(double x, double y)
{
    double across = (y - thalweg(x)) / half_width(x);
    double high = 60 + 70 / (1 + exp((x - dam - 2500) / 900));
    return floor_level(x) + high * across * across / (1 + across * across);
}

static struct flow initial(double x, double y)
{
    (void)y;
    return (struct flow){.w = x < dam ? lake : sea};
}

const struct flow_case case_valley = {
    .name = "valley",
    .title = "dam break above a valley, a plain and the sea, of the size of Malpasset",
    .cite = "after Brodtkorb, Saetra and Altinakar 2012, section 4",
    .nx = 1099,
    .ny = 439,
    .lx = 16485,
    .ly = 6585,
    .y0 = -3292.5,
    .t_end = 4000,
    .gravity = 9.81,
    .manning = 0.033,
    .kappa = 0.15,
    .kappa_scales = 1,
    .boundary = {WALL, WALL, WALL, WALL},
    .bed = bed,
    .initial = initial,
};
