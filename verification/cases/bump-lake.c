/* A lake at rest over the bump, deep under water: SWASHES 3.1.1. It must stay at rest: where all
 * corners are wet bed slope and fluxes cancel to the last bit. */
#include "verification/references/bump.h"
#include "verification/run/verify.h"

static const double level = 0.5; /* m: a number that every precision holds exactly */

static struct flow exact(double x, double y, double t)
{
    (void)x;
    (void)y;
    (void)t;
    return (struct flow){.w = level};
}

static const char exactly[] = "exact; f32: 4 ulp";
static const char rounding[] = "50 rounding errors of h c"; /* h c = 1.1 m2/s */

static const struct check checks[] = {
    {.norm = &norm_level, .n = 100, .theory = 1, .most = 0, .most_f32 = 2.4e-7, .why = exactly},
    {.norm = &norm_discharge,
     .n = 100,
     .theory = 1,
     .most = 1.1e-14,
     .most_f32 = 6.6e-6,
     .why = rounding},
    {.norm = &norm_level, .n = 400, .theory = 1, .most = 0, .most_f32 = 2.4e-7, .why = exactly},
    {.norm = &norm_discharge,
     .n = 400,
     .theory = 1,
     .most = 1.1e-14,
     .most_f32 = 6.6e-6,
     .why = rounding},
    {0},
};

static const struct verification verify = {
    .checks = checks,
    .ladder = {100, 400},
    .quick = 1,
    .usual = 2,
    .limiters = 1,
};

const struct flow_case case_bump_lake = {
    .name = "bump-lake",
    .title = "lake at rest over a bump",
    .cite = "Delestre et al. 2013 (SWASHES), section 3.1.1",
    .nx = 100,
    .ny = 1,
    .lx = 25,
    .ly = 0.25,
    .t_end = 20,
    .gravity = 9.81,
    .kappa = 0.001, /* well under the least depth, 0.3 m: without effect */
    .boundary = {WALL, WALL, WALL, WALL},
    .bed = bump_bed,
    .exact = exact,
    .verify = &verify,
};
