/* Sand alone: the floor diffuses, and its share stays 1 to the bit where fluxes say so. */
#include <math.h>

#include "verification/run/verify.h"

static const double length = 10, alpha = 2, wave = 3.14159265358979323846 / 10; /* m, m2/s, 1/m */

static double exact_value(double x, double y, double t, int k)
{
    return k == 0 ? 5 + cos(wave * x) * cos(wave * y) * exp(-2 * alpha * wave * wave * t) : 1;
}

static double value(double x, double y, int k)
{
    return exact_value(x, y, 0, k);
}

static double given(double x, double y, int k)
{
    (void)x;
    (void)y;
    return k == 0 ? alpha : 5;
}

static const char measured[] = "1.1 times what basin_cons reached in f64: order 2";
static const char alone[] = "without mud its share cannot change, to the bit";

static const struct check checks[] = {
    {&norm_height, .n = 25, .most = 2.26e-4, .f64_only = 1, .theory = 1, .why = measured},
    {&norm_height, .n = 50, .most = 5.64e-5, .f64_only = 1, .theory = 1, .why = measured},
    {&norm_share, .n = 25, .most = 0, .theory = 1, .why = alone, .scheme = "basin_cons"},
    {&norm_share, .n = 50, .most = 0, .theory = 1, .why = alone, .scheme = "basin_cons"},
    {0},
};

static const struct verification verify = {
    .checks = checks, .ladder = {25, 50, 100}, .quick = 2, .usual = 2, .dt_per_area = 0.1};

const struct flow_case case_basin_sand = {
    .name = "basin-sand",
    .title = "sand alone: the floor diffuses",
    .cite = "exact by insertion",
    .system = "sediment",
    .nx = 50,
    .ny = 50,
    .lx = length,
    .ly = length,
    .t_end = 1,
    .value = value,
    .given = given,
    .constant = {1, 1, 0.5},
    .exact_value = exact_value,
    .verify = &verify,
};
