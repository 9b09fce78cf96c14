/* A plane water surface that swings in a parabolic channel without friction, one period: the settings
 * of ryujin's paraboloid_1d. x is measured from the deepest point. */
#include "verification/references/basin.h"
#include "verification/run/verify.h"

static const struct channel channel = {.depth = 10, .l = 3000, .speed = 2, .gravity = 9.81};

static double bed(double x, double y)
{
    (void)y;
    return channel_bed(&channel, x);
}

static struct flow exact(double x, double y, double t)
{
    (void)y;
    return channel_flow(&channel, x, t);
}

static const char measured[] = "1.5 times what rk2 reached in f64";
static const char shore[] = "kappa scales with the cells, and the moving shore with it: 0.5 to 1";

static const struct check checks[] = {
    {&norm_l1_h, .n = 400, .most = 1.1e-3, .why = measured},
    {&norm_l1_h, .n = 800, .most = 6.5e-4, .why = measured},
    {&norm_l1_h, .n = 1600, .most = 3.5e-4, .why = measured},
    {&norm_l1_h, .n = 800, .order = 0.5, .why = shore},
    {&norm_l1_h, .n = 1600, .order = 0.5, .why = shore},
    {&norm_mean_hu, .at = 6, .n = 800, .order = 0.4, .why = shore},
    {0},
};

static const char who[] = "ryujin, prm/verification, paraboloid_1d (4b9b48e)";

static const struct published published[] = {
    {who, &norm_l1_h, LAST, 400, 2.15502e-4},
    {who, &norm_l1_h, LAST, 800, 8.46805e-5},
    {who, &norm_l1_h, LAST, 1600, 3.83434e-5},
    {who, &norm_l2_h, LAST, 400, 2.45989e-4},
    {who, &norm_l2_h, LAST, 800, 9.82305e-5},
    {who, &norm_l2_h, LAST, 1600, 4.59378e-5},
    {0},
};

static const struct verification verify = {
    .checks = checks,
    .published = published,
    .ladder = {400, 800, 1600},
    .quick = 2,
    .usual = 3,
    .snapshots = 8,
};

const struct flow_case case_parabola_channel = {
    .name = "parabola-channel",
    .title = "plane surface swinging in a parabolic channel, as in ryujin",
    .cite = "Thacker 1981; ryujin's paraboloid_1d",
    .nx = 400,
    .ny = 1,
    .lx = 10000,
    .ly = 25,
    .x0 = -5000,
    .t_end = 1345.710439639912,
    .gravity = 9.81,
    .kappa = 0.016,
    .kappa_scales = 1,
    .boundary = {WALL, WALL, WALL, WALL},
    .bed = bed,
    .exact = exact,
    .verify = &verify,
};
