/* Both sediments come in at one end, as much leaves at the other: in the end the share of sand is the same everywhere, so
 * that each flux is that of its own coefficient, and the floor falls evenly. */
#include <math.h>

#include "verification/run/verify.h"

static const double length = 10, layer = 0.5;    /* m */
static const double alpha = 1.2, beta = 0.45;    /* m2/s */
static const double sand = 0.6, mud = 0.3;       /* compaction ratios */
static const double in_sand = 0.2, in_mud = 0.4; /* m2/s */
static const double mean = 10;                   /* m: as much comes in as leaves */

static double value(double x, double y, int k)
{
    (void)x;
    (void)y;
    return k == 0 ? mean : 0.5;
}

/* s / (1 - s) = (qs Cs / alpha) / (qm Cm / beta); then the slope carries the sand. */
static double exact_value(double x, double y, double t, int k)
{
    const double ratio = (in_sand * sand / alpha) / (in_mud * mud / beta), s = ratio / (1 + ratio);
    const double slope = -in_sand * sand / (alpha * s);
    (void)y;
    (void)t;
    return k == 0 ? mean + slope * (x - length / 2) : s;
}

static double given(double x, double y, int k)
{
    (void)x;
    (void)y;
    return k == 0 ? alpha : beta;
}

static const char balance[] =
    "fluxes balance exactly once it is steady: what is left decays, then rounding";

static const struct check checks[] = {
    {&norm_share, .at = 1, .n = 50, .most = 3e-7, .f64_only = 1, .theory = 1, .why = balance},
    {&norm_height, .at = 1, .n = 50, .most = 3e-7, .f64_only = 1, .theory = 1, .why = balance},
    {&norm_share, .at = 3, .n = 50, .most = 1e-12, .f64_only = 1, .theory = 1, .why = balance},
    {&norm_height, .at = 3, .n = 50, .most = 3e-12, .f64_only = 1, .theory = 1, .why = balance},
    {&norm_share, .at = 3, .n = 50, .most = 1e-3, .theory = 1, .why = "f32 rounds more"},
    {0},
};

static const struct verification verify = {.checks = checks,
                                           .ladder = {50, 100},
                                           .quick = 1,
                                           .usual = 1,
                                           .snapshots = 3,
                                           .dt_per_area = 0.1};

const struct flow_case case_basin_steady = {
    .name = "basin-steady",
    .title = "sand and mud come in, and leave: an even slope",
    .cite = "exact by insertion",
    .system = "sediment",
    .nx = 50,
    .ny = 1,
    .lx = length,
    .ly = length,
    .t_end = 300,
    .boundary = {SUPPLY, LOSS, WALL, WALL},
    .edge = {[WEST] = {.in = {in_sand, in_mud}}, [EAST] = {.in = {-in_sand - in_mud}}},
    .value = value,
    .given = given,
    .constant = {sand, mud, layer},
    .exact_value = exact_value,
    .verify = &verify,
};
