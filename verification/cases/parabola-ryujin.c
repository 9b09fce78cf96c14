/* A plane water surface that circles in a parabolic basin, at the size that SWASHES gives it
 * (Delestre et al. 2013, section 4.2.2) and for the three periods that ryujin verifies itself with:
 * its figures stand beside ours. The origin lies at the basin's middle, not at its corner. */
#include "verification/references/basin.h"
#include "verification/run/verify.h"

static const struct basin basin = {.depth = 0.1, .l = 1, .a = 0.5, .gravity = 9.81};

static double bed(double x, double y)
{
    return basin_bed(&basin, x, y);
}

static struct flow exact(double x, double y, double t)
{
    return basin_planar(&basin, x, y, t);
}

static const char measured[] =
    "1.5 times what an independent f64 code reached with this scheme and kappa";

static const char own[] = "1.5 times what rk2 reached in f64";
static const char shore[] = "kappa scales with the cells, and the moving shore with it";

static const struct check checks[] = {
    {&norm_l1_h, .at = 1, .n = 64, .most = 0.09, .why = own},
    {&norm_l1_h, .at = 3, .n = 64, .most = 0.35, .why = own},
    {&norm_l1_h, .at = 1, .n = 128, .most = 0.07, .why = measured},
    {&norm_l1_h, .at = 3, .n = 128, .most = 0.2, .why = measured},
    {&norm_l1_h, .at = 3, .n = 64, .order = 0.3, .why = shore},
    {&norm_l1_h, .at = 3, .n = 128, .order = 0.3, .why = shore},
    {0},
};

static const char who[] = "ryujin, prm/verification, paraboloid_2d (4b9b48e)";

static const struct published published[] = {
    {who, &norm_l1_h, LAST, 64, 6.32972e-2},
    {who, &norm_l1_h, LAST, 128, 1.72783e-2},
    {who, &norm_l1_h, LAST, 256, 5.09554e-3},
    {who, &norm_l2_h, LAST, 64, 6.22247e-2},
    {who, &norm_l2_h, LAST, 128, 1.75341e-2},
    {who, &norm_l2_h, LAST, 256, 5.37588e-3},
    {0},
};

static const struct verification verify = {
    .checks = checks,
    .published = published,
    .ladder = {32, 64, 128, 256},
    .quick = 2,
    .usual = 3,
    .snapshots = 3,
};

const struct flow_case case_parabola_ryujin = {
    .name = "parabola-ryujin",
    .title = "plane surface circling in a small parabolic basin, as in ryujin and SWASHES",
    .cite = "Thacker 1981; Delestre et al. 2013, section 4.2.2; ryujin's paraboloid_2d",
    .nx = 128,
    .ny = 128,
    .lx = 4,
    .ly = 4,
    .x0 = -2,
    .y0 = -2,
    .t_end = 13.457104396399118,
    .gravity = 9.81,
    .kappa = 0.001,
    .kappa_scales = 1,
    .boundary = {WALL, WALL, WALL, WALL},
    .bed = bed,
    .exact = exact,
    .verify = &verify,
};
