/* Supercritical flow down a channel with Manning's friction, whose bed is made for it: SWASHES
 * 3.2.1. It starts from a layer at rest, as deep as 2 m2/s are when they are critical.
 *
 * The channel falls by 35 m, so in f32 the level's last digit is worth 4e-6 m. Its rounding gives
 * errors of 5e-4 in discharge on 100 cells, and more on more. */
#include "verification/references/macdonald.h"
#include "verification/run/verify.h"

static const double layer = 0.7415; /* the critical depth of 2 m2/s, m */

static const struct macdonald *const channel = &macdonald_super;

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
    {.norm = &norm_l1_h, .n = 100, .most = 1e-3, .why = MEASURED " of 5.6e-4"},
    {.norm = &norm_l1_q,
     .n = 100,
     .most = 1e-6,
     .most_f32 = 1e-3,
     .why = "a supercritical steady flow has its discharge exact"},
    {.norm = &norm_l1_h, .n = 200, .most = 4e-4, .most_f32 = 2e-3, .why = MEASURED " of 2.2e-4"},
    {.norm = &norm_l1_h, .n = 400, .most = 1.3e-4, .most_f32 = 2e-3, .why = MEASURED " of 7.5e-5"},
    {.norm = &norm_l1_h,
     .n = 400,
     .f64_only = 1,
     .order = 1,
     .why = "the inflow's ghost cells are first order"},
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

const struct flow_case case_macdonald_super = {
    .name = "macdonald-super",
    .title = "supercritical flow with friction in a channel made for it",
    .cite = "MacDonald et al. 1997; Delestre et al. 2013 (SWASHES), section 3.2.1",
    .nx = 100,
    .ny = 1,
    .lx = 1000,
    .ly = 20,
    .t_end = 2000,
    .gravity = 9.81,
    .manning = 0.04,
    .kappa = 0.001, /* well under the least depth, 0.6 m: without effect */
    .boundary = {STATE, OPEN, WALL, WALL},
    .edge = {[WEST] = {.h = 0.7415144329334475, .hu = 2.5}},
    .bed = bed,
    .initial = initial,
    .exact = exact,
    .tends = 1,
    .verify = &verify,
};
