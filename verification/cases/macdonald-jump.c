/* Flow that turns supercritical down a short channel with Manning's friction and returns in a
 * hydraulic jump: SWASHES 3.2.2. It starts from a pool at rest at the outlet's level. */
#include "verification/references/jump.h"
#include "verification/references/macdonald.h"

static const double outlet = 2.878707967283852; /* m */

static const struct macdonald *const channel = &macdonald_jump;

static double bed(double x, double y)
{
    (void)y;
    return macdonald_bed(channel, x);
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
    {.norm = &norm_l1_h, .n = 100, .most = 1.5e-3, .why = MEASURED " of 8.5e-4"},
    {.norm = &norm_l1_q, .n = 100, .most = 2.5e-3, .why = "1.6 times what rk2 reaches"},
    {.norm = &norm_offset,
     .n = 100,
     .most = 1,
     .theory = 1,
     .why = "the jump is resolved by one cell"},
    {.norm = &norm_spared,
     .n = 100,
     .most = 1.2e-3,
     .why = "twice what rk2 reaches; no other code tells"},
    {.norm = &norm_spared,
     .n = 200,
     .order = 0.9,
     .why = "O(dx): the scheme does not balance moving water"},
    {.norm = &norm_l1_h, .n = 200, .order = 0.9, .why = "first order at a jump"},
    {0},
};

static const struct verification verify = {
    .checks = checks,
    .ladder = {100, 200, 400},
    .quick = 1,
    .usual = 2,
    .snapshots = 40,
    .steady = 1e-7,
};

const struct flow_case case_macdonald_jump = {
    .name = "macdonald-jump",
    .title = "flow with friction and a hydraulic jump in a channel made for it",
    .cite = "MacDonald et al. 1997; Delestre et al. 2013 (SWASHES), section 3.2.2",
    .nx = 100,
    .ny = 1,
    .lx = 100,
    .ly = 1,
    .t_end = 600,
    .gravity = 9.81,
    .manning = 0.0328,
    .kappa = 0.001, /* well under the least depth, 0.4 m: without effect */
    .boundary = {DISCHARGE, DEPTH, WALL, WALL},
    .edge = {[WEST] = {.hu = 2}, [EAST] = {.h = 2.878707967283852}},
    .bed = bed,
    .initial = initial,
    .exact = exact,
    .tends = 1,
    .verify = &verify,
};
