/* A lake at rest that the bump rises out of: SWASHES 3.1.2. In a cell with a shore the plain scheme
 * sees an inclined surface, and a flow of O(dx) runs along the bank for ever. */
#include "verification/references/bump.h"
#include "verification/run/verify.h"

static const double level = 0.1; /* m */

static struct flow exact(double x, double y, double t)
{
    (void)x;
    (void)y;
    (void)t;
    return (struct flow){.w = level};
}

static const char measured[] = "twice an independent KP07's 1.6e-3";
static const char third[] = "O(dx): a third on cells a quarter as wide";

static const struct check checks[] = {
    {.norm = &norm_level, .n = 100, .most = 1.5e-2, .why = "twice an independent KP07's 7.2e-3"},
    {.norm = &norm_discharge, .n = 100, .most = 3.5e-3, .why = measured},
    {.norm = &norm_level, .n = 400, .from = 100, .order = 0.79, .why = third},
    {.norm = &norm_discharge, .n = 400, .from = 100, .order = 0.79, .why = third},
    {0},
};

static const struct verification verify = {
    .checks = checks,
    .ladder = {100, 400},
    .quick = 1,
    .usual = 2,
};

/* kappa by the rule: a tenth of the bed's rise per cell at the shore, 3.5 mm on 100 cells. */
const struct flow_case case_bump_shore = {
    .name = "bump-shore",
    .title = "lake at rest around a bump that rises out of it",
    .cite = "Delestre et al. 2013 (SWASHES), section 3.1.2",
    .nx = 100,
    .ny = 1,
    .lx = 25,
    .ly = 0.25,
    .t_end = 100,
    .gravity = 9.81,
    .boundary = {WALL, WALL, WALL, WALL},
    .bed = bump_bed,
    .exact = exact,
    .verify = &verify,
};
