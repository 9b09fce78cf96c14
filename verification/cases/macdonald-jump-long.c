/* Supercritical flow with Manning's friction that ends in a hydraulic jump, down a long channel:
 * SWASHES 3.2.1. It starts from a layer at rest, as deep as 2 m2/s are when they are critical. */
#include "verification/references/jump.h"
#include "verification/references/macdonald.h"

static const double layer = 0.7415; /* the critical depth of 2 m2/s, m */

static const struct macdonald *const channel = &macdonald_jump_long;

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

static double offset(const struct snapshot *s)
{
    return jump_offset(s, channel->seam,
                       (channel->depth[0](channel->seam) + channel->depth[1](channel->seam)) / 2);
}

static double spared(const struct snapshot *s)
{
    return jump_spared(s, channel->seam);
}

static const struct norm norm_offset = {JUMP_OFFSET_NORM, offset};
static const struct norm norm_spared = {JUMP_SPARED_NORM, spared};

#define MEASURED "at most 1.8 times an independent KP07's error"

static const struct check checks[] = {
    {.norm = &norm_l1_h, .n = 100, .most = 1.8e-3, .why = MEASURED " of 1.0e-3"},
    {.norm = &norm_l1_h, .n = 200, .most = 1e-3, .why = MEASURED " of 5.8e-4"},
    {.norm = &norm_offset,
     .n = 100,
     .most = 1,
     .theory = 1,
     .why = "the jump is resolved by one cell"},
    {.norm = &norm_spared,
     .n = 100,
     .most = 1.2e-3,
     .why = "twice what rk2 reaches; no other code tells"},
    {.norm = &norm_l1_h, .n = 400, .from = 100, .order = 0.8, .why = "first order at a jump"},
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

const struct flow_case case_macdonald_jump_long = {
    .name = "macdonald-jump-long",
    .title = "super- to subcritical flow with friction in a channel made for it",
    .cite = "MacDonald et al. 1997; Delestre et al. 2013 (SWASHES), section 3.2.1",
    .nx = 100,
    .ny = 1,
    .lx = 1000,
    .ly = 20,
    .t_end = 2000,
    .gravity = 9.81,
    .manning = 0.0218,
    .kappa = 0.001, /* well under the least depth, 0.5 m: without effect */
    .boundary = {STATE, DEPTH, WALL, WALL},
    .edge = {[WEST] = {.h = 0.5437906726379365, .hu = 2}, [EAST] = {.h = 1.334747194610659}},
    .bed = bed,
    .initial = initial,
    .exact = exact,
    .tends = 1,
    .verify = &verify,
};
