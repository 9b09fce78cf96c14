/* Dam break onto dry ground: SWASHES 4.1.2. kappa is 0.01 mm, 500 times less than the reservoir's
 * depth: with 0.1 mm the errors stop falling at 400 cells, because the front is held back. */
#include "verification/references/dam_break.h"
#include "verification/run/verify.h"

static const double dam = 5, left = 0.005, g = 9.81; /* m, m, m/s2 */

static struct flow exact(double x, double y, double t)
{
    (void)y;
    return dam_break_dry(g, left, x - dam, t);
}

#define MEASURED "at most 1.7 times an independent KP07's error"

static const char rate_q[] = "0.9 by it, 0.8 with Euler, less 0.1";

static const struct check checks[] = {
    {.norm = &norm_l1_h, .n = 100, .most = 1.1e-2, .why = MEASURED " of 7.8e-3"},
    {.norm = &norm_l1_q, .n = 100, .most = 6e-2, .why = MEASURED " of 4.1e-2"},
    {.norm = &norm_l1_h, .n = 400, .most = 3.5e-3, .why = MEASURED " of 2.1e-3"},
    {.norm = &norm_l1_q, .n = 400, .most = 2e-2, .why = MEASURED " of 1.2e-2"},
    {.norm = &norm_l1_h, .n = 800, .most = 1.6e-3, .why = "between its errors at 400 and 1600"},
    {.norm = &norm_l1_q, .n = 800, .most = 9e-3, .why = "between its errors at 400 and 1600"},
    {.norm = &norm_l1_h, .n = 800, .from = 100, .order = 0.85, .why = "0.95 by it, less 0.1"},
    {.norm = &norm_l1_q, .n = 800, .from = 100, .order = 0.7, .why = rate_q},
    {0},
};

static const struct verification verify = {
    .checks = checks,
    .ladder = {100, 200, 400, 800, 1600},
    .quick = 2,
    .usual = 4,
};

const struct flow_case case_ritter = {
    .name = "ritter",
    .title = "dam break onto dry ground",
    .cite = "Ritter 1892; Delestre et al. 2013 (SWASHES), section 4.1.2",
    .nx = 100,
    .ny = 1,
    .lx = 10,
    .ly = 0.1,
    .t_end = 6,
    .gravity = 9.81,
    .kappa = 1e-5,
    .boundary = {OPEN, OPEN, WALL, WALL},
    .bed = flat_bed,
    .jumps = 1,
    .exact = exact,
    .verify = &verify,
};
