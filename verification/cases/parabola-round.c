/* A paraboloid of water that rises and falls in a parabolic basin: Thacker 1981, at the size that
 * SWASHES gives it (Delestre et al. 2013, section 4.2.1), for one period. The origin lies at the
 * basin's middle. */
#include "verification/references/basin.h"
#include "verification/run/verify.h"

static const struct basin basin = {.depth = 0.1, .l = 1, .a = 0.8, .gravity = 9.81};

static double bed(double x, double y)
{
    return basin_bed(&basin, x, y);
}

static struct flow exact(double x, double y, double t)
{
    return basin_round(&basin, x, y, t);
}

static const char measured[] =
    "1.8 times what an independent f64 code reached with this scheme and kappa";

static const char shore[] = "the moving shore: 0.5 to 1";

static const struct check checks[] = {
    {&norm_l1_h, .n = 50, .most = 0.0225, .why = measured},
    {&norm_l1_h, .n = 100, .most = 0.012, .why = measured},
    {&norm_l1_h, .n = 100, .order = 0.5, .why = shore},
    {&norm_mean_hu, .at = 6, .n = 100, .order = 0.5, .why = shore},
    {0},
};

static const struct verification verify = {
    .checks = checks,
    .ladder = {50, 100, 200},
    .quick = 2,
    .usual = 3,
    .snapshots = 8,
    .scatter = 1,
};

const struct flow_case case_parabola_round = {
    .name = "parabola-round",
    .title = "paraboloid of water that rises and falls in a parabolic basin (Thacker)",
    .cite = "Thacker 1981; Delestre et al. 2013, section 4.2.1",
    .nx = 100,
    .ny = 100,
    .lx = 4,
    .ly = 4,
    .x0 = -2,
    .y0 = -2,
    .t_end = 2.242850732733187,
    .gravity = 9.81,
    .kappa = 0.001,
    .kappa_scales = 1,
    .boundary = {WALL, WALL, WALL, WALL},
    .bed = bed,
    .exact = exact,
    .verify = &verify,
};
