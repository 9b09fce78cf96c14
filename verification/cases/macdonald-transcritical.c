/* Flow that turns supercritical down a channel with Manning's friction: SWASHES 3.2.1. It starts
 * from a layer at rest, as deep as 2 m2/s are when they are critical. */
#include "verification/references/macdonald.h"
#include "verification/run/verify.h"

static const double layer = 0.7415; /* the critical depth of 2 m2/s, m */

static const struct macdonald *const channel = &macdonald_transcritical;

static double bed(double x, double y)
{
    (void)y;
    return macdonald_bed(channel, x);
}

static struct flow initial(double x, double y)
{
    return (struct flow){.w = bed(x, y) + layer};
}

static struct flow exact(double x, double y, double t)
{
    (void)y;
    (void)t;
    double h = macdonald_depth(channel, x);
    return (struct flow){.w = macdonald_bed(channel, x) + h, .u = channel->q / h};
}

#define MEASURED "at most 1.8 times an independent KP07's error"

static const struct check checks[] = {
    {.norm = &norm_l1_h, .n = 100, .most = 1.5e-3, .why = MEASURED " of 8.6e-4"},
    {.norm = &norm_l1_h, .n = 200, .most = 7e-4, .why = MEASURED " of 3.9e-4"},
    {.norm = &norm_l1_h,
     .n = 200,
     .f64_only = 1,
     .order = 1,
     .why = "1.14 by an independent KP07, less 0.1"},
    {0},
};

static const struct verification verify = {
    .checks = checks,
    .ladder = {50, 100, 200, 400},
    .quick = 2,
    .usual = 4,
    .snapshots = 40,
    .steady = 1e-8,
};

const struct flow_case case_macdonald_transcritical = {
    .name = "macdonald-transcritical",
    .title = "sub- to supercritical flow with friction in a channel made for it",
    .cite = "MacDonald et al. 1997; Delestre et al. 2013 (SWASHES), section 3.2.1",
    .nx = 100,
    .ny = 1,
    .lx = 1000,
    .ly = 20,
    .t_end = 2000,
    .gravity = 9.81,
    .manning = 0.0218,
    .kappa = 0.001, /* well under the least depth, 0.6 m: without effect */
    .boundary = {DISCHARGE, OPEN, WALL, WALL},
    .edge = {[WEST] = {.hu = 2}},
    .bed = bed,
    .initial = initial,
    .exact = exact,
    .tends = 1,
    .verify = &verify,
};
