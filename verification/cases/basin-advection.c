/* Sand on a plane slope: with alpha / Cs = beta / Cm the floor stays as it is, and the share of sand wanders downhill. */
#include <math.h>

#include "verification/run/verify.h"

static const double length = 10, slope = -0.3, layer = 0.5, diffusion = 2; /* m, 1, m, m2/s */

static double exact_value(double x, double y, double t, int k)
{
    const double speed = -diffusion * slope / layer; /* 1.2 m/s */
    (void)y;
    return k == 0 ? 10 + slope * x
                  : 0.5 + 0.3 * sin(2 * 3.14159265358979323846 * (x - speed * t) / length);
}

static double value(double x, double y, int k)
{
    return exact_value(x, y, 0, k);
}

static double given(double x, double y, int k)
{
    (void)x;
    (void)y;
    return diffusion * (k == 0 ? 1 : 2);
}

#define PROTOTYPE "1.05 times the error of an independent prototype"
static const char rounding[] = "a plane slope is exact but for rounding";
static const char claim[] = "what the scheme claims: first order";

static const struct check checks[] = {
    {&norm_share, .n = 50, .most = 9.03e-3, .theory = 1, .why = PROTOTYPE},
    {&norm_share, .n = 100, .most = 4.62e-3, .theory = 1, .why = PROTOTYPE},
    {&norm_share, .n = 200, .most = 2.31e-3, .theory = 1, .why = PROTOTYPE},
    {&norm_height, .n = 50, .most = 1e-12, .f64_only = 1, .theory = 1, .why = rounding},
    {&norm_height, .n = 200, .most = 1e-12, .f64_only = 1, .theory = 1, .why = rounding},
    {&norm_share, .n = 100, .order = CLAIMED, .why = claim},
    {&norm_share, .n = 200, .order = CLAIMED, .why = claim},
    {0},
};

static const struct verification verify = {
    .checks = checks, .ladder = {50, 100, 200}, .quick = 2, .usual = 3, .dt_per_area = 0.1};

const struct flow_case case_basin_advection = {
    .name = "basin-advection",
    .title = "sand wanders down a plane slope",
    .cite = "exact by insertion",
    .system = "sediment",
    .nx = 100,
    .ny = 1,
    .lx = length,
    .ly = length,
    .t_end = 1,
    .boundary = {PERIODIC, PERIODIC, WALL, WALL},
    .rise = {{slope * length}},
    .value = value,
    .given = given,
    .constant = {1, 2, layer},
    .exact_value = exact_value,
    .verify = &verify,
};
