/* A plane water surface that circles in a parabolic basin: Thacker 1981; paper III, eq. 11 and 12,
 * with its upper signs and with g, which it takes as 1, restored. The wet disc has the radius L and
 * its centre runs round a circle of radius A, so the domain reaches beyond A + L = 3750 m. One period
 * is 2 pi / omega = 11107.2 s. */
#include "verification/references/basin.h"
#include "verification/run/verify.h"

static const struct basin basin = {.depth = 1, .l = 2500, .a = 1250, .gravity = 1};

static double bed(double x, double y)
{
    return basin_bed(&basin, x, y);
}

static struct flow exact(double x, double y, double t)
{
    return basin_planar(&basin, x, y, t);
}

/* 40 snapshots in one period: every tenth is a quarter of it. */
enum { QUARTER = 10, HALF = 20, PERIOD = 40 };

static const char measured[] =
    "1.5 times what an independent f64 code reached with this scheme and kappa";

static const char shore[] = "kappa scales with the cells, and the moving shore with it: 0.5 to 1";

static const char coarse[] = "little: on 50 cells kappa is far beyond its best";

static const struct check checks[] = {
    {&norm_l1_h, .at = QUARTER, .n = 100, .most = 0.02, .why = measured},
    {&norm_l1_h, .at = HALF, .n = 100, .most = 0.035, .why = measured},
    {&norm_l1_h, .at = PERIOD, .n = 100, .most = 0.07, .why = measured},
    {&norm_l1_q, .at = QUARTER, .n = 100, .most = 0.05, .why = measured},
    {&norm_l1_q, .at = HALF, .n = 100, .most = 0.1, .why = measured},
    {&norm_l1_q, .at = PERIOD, .n = 100, .most = 0.2, .why = measured},
    {&norm_l1_h, .at = PERIOD, .n = 50, .most = 0.09, .why = measured},
    {&norm_l1_h, .at = PERIOD, .n = 200, .most = 0.045, .why = measured},
    {&norm_l1_q, .at = PERIOD, .n = 200, .most = 0.13, .why = measured},
    {&norm_l1_h, .at = PERIOD, .n = 100, .order = 0.1, .why = coarse},
    {&norm_l1_h, .at = PERIOD, .n = 200, .order = 0.5, .why = shore},
    {&norm_l1_h, .at = PERIOD, .n = 400, .order = 0.5, .why = shore},
    {0},
};

static const struct verification verify = {
    .checks = checks,
    .ladder = {50, 100, 200, 400},
    .quick = 2,
    .usual = 3,
    .snapshots = PERIOD,
    .scatter = 1,
};

const struct flow_case case_parabola = {
    .name = "parabola",
    .title = "plane surface circling in a parabolic basin (Thacker)",
    .cite = "Thacker 1981; Brodtkorb, Saetra and Altinakar 2012, section 4",
    .nx = 100,
    .ny = 100,
    .lx = 8000,
    .ly = 8000,
    .x0 = -4000,
    .y0 = -4000,
    .t_end = 11107.207345395915,
    .gravity = 1,
    .kappa = 0.01,
    .kappa_scales = 1,
    .boundary = {WALL, WALL, WALL, WALL},
    .bed = bed,
    .exact = exact,
    .verify = &verify,
};
