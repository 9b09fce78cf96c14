/* Dam break onto shallow water: SWASHES 4.1.1. A rarefaction up the reservoir, a shock down the
 * channel; both have their mean order, about one, in the errors. */
#include "verification/references/dam_break.h"
#include "verification/run/verify.h"

static const double dam = 5, left = 0.005, right = 0.001, g = 9.81; /* m, m, m, m/s2 */

static struct flow exact(double x, double y, double t)
{
    (void)y;
    return dam_break_wet(g, left, right, x - dam, t);
}

#define MEASURED "less than twice an independent KP07's error"

static const struct check checks[] = {
    {.norm = &norm_l1_h, .n = 100, .most = 8e-3, .why = MEASURED " of 5.6e-3"},
    {.norm = &norm_l1_q, .n = 100, .most = 5.5e-2, .why = MEASURED " of 4.0e-2"},
    {.norm = &norm_l1_h, .n = 200, .most = 5e-3, .why = MEASURED " of 3.2e-3"},
    {.norm = &norm_l1_q, .n = 200, .most = 3e-2, .why = MEASURED " of 2.1e-2"},
    {.norm = &norm_l1_h, .n = 800, .most = 1.2e-3, .why = MEASURED " of 7.8e-4"},
    {.norm = &norm_l1_q, .n = 800, .most = 8e-3, .why = MEASURED " of 5.5e-3"},
    {.norm = &norm_l1_h, .n = 800, .from = 100, .order = 0.8, .why = "first order at a shock"},
    {.norm = &norm_l1_q, .n = 800, .from = 100, .order = 0.8, .why = "first order at a shock"},
    {0},
};

static const struct verification verify = {
    .checks = checks,
    .ladder = {100, 200, 400, 800, 1600},
    .quick = 2,
    .usual = 4,
    .limiters = 1,
};

const struct flow_case case_stoker = {
    .name = "stoker",
    .title = "dam break onto shallow water",
    .cite = "Stoker 1957; Delestre et al. 2013 (SWASHES), section 4.1.1",
    .nx = 100,
    .ny = 1,
    .lx = 10,
    .ly = 0.1,
    .t_end = 6,
    .gravity = 9.81,
    .kappa = 1e-5, /* a hundredth of the least depth: without effect */
    .boundary = {OPEN, OPEN, WALL, WALL},
    .bed = flat_bed,
    .jumps = 1,
    .exact = exact,
    .verify = &verify,
};
