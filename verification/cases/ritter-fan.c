/* Ritter's dam break from the moment when its fan is already open: the set-up of ryujin's
 * verification (shallow_water-ritter_dam_break-erk33). Its "time initial" is 1 s and its "final
 * time" of 6 s is counted from there: it ends 7 s after the dam broke, and so does this. Its grids
 * have n + 1 nodes where these have n cells.
 *
 * kappa is a micrometre: with the 10 of the case ritter the errors are two to three times as large,
 * because the front is held back. */
#include "verification/references/dam_break.h"
#include "verification/run/verify.h"

static const double dam = 5, left = 0.005, g = 9.81; /* m, m, m/s2 */
static const double opened = 1;                      /* s after the dam broke */

static struct flow exact(double x, double y, double t)
{
    (void)y;
    return dam_break_dry(g, left, x - dam, opened + t);
}

#define RYUJIN "no worse than ryujin"

static const char rate_h[] = "Euler's 0.7, less 0.1; RK2 has 1.4";
static const char rate_q[] = "Euler's 0.55 in f32, less 0.1; RK2 has 1.2";

static const struct check checks[] = {
    {.norm = &norm_l1_h, .n = 400, .most = 4.2991e-4, .why = RYUJIN},
    {.norm = &norm_l1_h, .n = 800, .most = 1.3527e-4, .first = 1.6, .why = RYUJIN},
    {.norm = &norm_l1_h, .n = 1600, .most = 4.2499e-5, .first = 3.5, .why = RYUJIN},
    {.norm = &norm_l1_h, .n = 1600, .from = 400, .order = 0.6, .why = rate_h},
    {.norm = &norm_l1_q, .n = 1600, .from = 400, .order = 0.45, .why = rate_q},
    {0},
};

static const struct published published[] = {
    {"ryujin", &norm_l1_h, LAST, 400, 4.2991e-4},
    {"ryujin", &norm_l1_h, LAST, 800, 1.3527e-4},
    {"ryujin", &norm_l1_h, LAST, 1600, 4.2499e-5},
    {"ryujin", &norm_l1_h, LAST, 3200, 2.03544e-5},
    {0},
};

static const struct verification verify = {
    .checks = checks,
    .published = published,
    .ladder = {400, 800, 1600, 3200},
    .quick = 1,
    .usual = 3,
};

const struct flow_case case_ritter_fan = {
    .name = "ritter-fan",
    .title = "dam break onto dry ground, from its open fan",
    .cite = "Ritter 1892; ryujin's verification (Guermond et al. 2018, section 7.3)",
    .nx = 400,
    .ny = 1,
    .lx = 10,
    .ly = 0.025,
    .t_end = 6,
    .gravity = 9.81,
    .kappa = 1e-6,
    .boundary = {OPEN, OPEN, WALL, WALL},
    .bed = flat_bed,
    .exact = exact,
    .verify = &verify,
};
