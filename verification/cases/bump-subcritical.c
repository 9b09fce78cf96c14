/* Subcritical flow over the bump: SWASHES 3.1.3. It starts from a pool at rest at the outlet's
 * level; the waves that the inflow sends out leave little by little, a third of them staying at
 * each round of 15 s.
 *
 * In f32 the level's rounding adds an error that grows with the number of steps: 5e-5 of the depth
 * on 200 cells, 2.4e-4 on 400 with Euler's small steps. Its limits allow for that. */
#include "verification/references/bump.h"
#include "verification/run/verify.h"

static const double discharge = 4.42, outlet = 2; /* m2/s, m */

static double bed(double x, double y)
{
    (void)y;
    return bump_bed(x);
}

static struct flow initial(double x, double y)
{
    (void)x;
    (void)y;
    return (struct flow){.w = outlet};
}

static struct flow exact(double x, double y, double t)
{
    (void)y;
    (void)t;
    double h = bump_subcritical(x, discharge, outlet);
    return (struct flow){.w = bump_bed(x) + h, .u = discharge / h};
}

#define MEASURED "at most twice an independent KP07's error"
#define KINK     "O(dx): the largest error sits in the cells where the bump begins"

static const struct check checks[] = {
    {.norm = &norm_l1_h, .n = 100, .most = 1e-4, .most_f32 = 1.5e-4, .why = MEASURED " of 5.9e-5"},
    {.norm = &norm_l1_q, .n = 100, .most = 1.5e-4, .why = MEASURED " of 6.9e-5"},
    {.norm = &norm_max_q, .n = 100, .most = 5e-3, .why = MEASURED " of 3.2e-3"},
    {.norm = &norm_l1_h, .n = 200, .most = 2.5e-5, .most_f32 = 1e-4, .why = MEASURED " of 1.45e-5"},
    {.norm = &norm_l1_q, .n = 200, .most = 3e-5, .most_f32 = 1e-4, .why = MEASURED " of 1.6e-5"},
    {.norm = &norm_max_q, .n = 200, .most = 2.5e-3, .why = MEASURED " of 1.6e-3"},
    {.norm = &norm_l1_h, .n = 400, .most = 7e-6, .most_f32 = 4e-4, .why = MEASURED " of 3.6e-6"},
    {.norm = &norm_l1_q, .n = 400, .most = 6e-6, .most_f32 = 4e-4, .why = MEASURED " of 3.7e-6"},
    {.norm = &norm_max_q, .n = 400, .most = 1.3e-3, .why = MEASURED " of 8.0e-4"},
    {.norm = &norm_l1_h,
     .n = 200,
     .f64_only = 1,
     .order = 1.9,
     .why = "second order in space, less 0.1"},
    {.norm = &norm_l1_q,
     .n = 200,
     .f64_only = 1,
     .order = 1.9,
     .why = "second order in space, less 0.1"},
    {.norm = &norm_max_q, .n = 200, .order = 0.9, .why = KINK},
    {0},
};

static const struct verification verify = {
    .checks = checks,
    .ladder = {50, 100, 200, 400},
    .quick = 2,
    .usual = 3,
    .snapshots = 40,
    .steady = 1e-7,
};

const struct flow_case case_bump_subcritical = {
    .name = "bump-subcritical",
    .title = "subcritical flow over a bump",
    .cite = "Delestre et al. 2013 (SWASHES), section 3.1.3",
    .nx = 100,
    .ny = 1,
    .lx = 25,
    .ly = 0.5,
    .t_end = 400,
    .gravity = 9.81,
    .kappa = 0.001, /* well under the least depth, 1.7 m: without effect */
    .boundary = {DISCHARGE, DEPTH, WALL, WALL},
    .edge = {[WEST] = {.hu = 4.42}, [EAST] = {.h = 2}},
    .bed = bed,
    .initial = initial,
    .exact = exact,
    .tends = 1,
    .verify = &verify,
};
