/* A wave of the floor that decays as heat does, whatever the share of sand: alpha / Cs = beta / Cm,
 * and nothing crosses the edges. The gain of sand shows whether a scheme conserves it. */
#include <math.h>

#include "verification/run/verify.h"

static const double length = 10, layer = 0.5, diffusion = 2; /* m, m, m2/s */
static const double pi = 3.14159265358979323846;

static double exact_value(double x, double y, double t, int k)
{
    const double wave = pi / length;
    (void)y;
    return k == 0 ? 5 + cos(wave * x) * exp(-diffusion * wave * wave * t)
                  : (double)NAN; /* no solution is known */
}

static double value(double x, double y, int k)
{
    return k == 0 ? exact_value(x, y, 0, 0) : 0.5 + 0.3 * cos(2 * pi * x / length);
}

static double given(double x, double y, int k)
{
    (void)x;
    (void)y;
    (void)k;
    return diffusion;
}

#define PROTOTYPE "1.05 times what an independent prototype reached"
static const char second[] = "a quarter of the error for half the cells: order 2";
static const char published[] = "the published form does not conserve sand: of first order";

static const struct check checks[] = {
    {&norm_height, .n = 50, .most = 7.2e-6, .f64_only = 1, .theory = 1, .why = PROTOTYPE},
    {&norm_height, .n = 100, .most = 1.8e-6, .f64_only = 1, .theory = 1, .why = second},
    {&norm_height, .n = 200, .most = 4.5e-7, .f64_only = 1, .theory = 1, .why = second},
    {&norm_gained, .n = 50, .most = 1.5e-2, .theory = 1, .why = published, .scheme = "basin"},
    {&norm_gained, .n = 100, .most = 7.4e-3, .theory = 1, .why = published, .scheme = "basin"},
    {&norm_gained, .n = 200, .most = 3.7e-3, .theory = 1, .why = published, .scheme = "basin"},
    {&norm_gained, .n = 100, .order = 0.9, .f64_only = 1, .why = published, .scheme = "basin"},
    {&norm_gained, .n = 200, .order = 0.9, .f64_only = 1, .why = published, .scheme = "basin"},
    {&norm_gained, .n = 50, .most = 1e-12, .f64_only = 1, .theory = 1, .why = "conserved: rounding",
     .scheme = "basin_cons"},
    {&norm_gained, .n = 100, .most = 1e-12, .f64_only = 1, .theory = 1,
     .why = "conserved: rounding", .scheme = "basin_cons"},
    {&norm_gained, .n = 200, .most = 1e-12, .f64_only = 1, .theory = 1,
     .why = "conserved: rounding", .scheme = "basin_cons"},
    {0},
};

static const struct verification verify = {
    .checks = checks, .ladder = {50, 100, 200}, .quick = 2, .usual = 3, .dt_per_area = 0.1};

const struct flow_case case_basin_heat = {
    .name = "basin-heat",
    .title = "a wave of the floor decays as heat does",
    .cite = "exact by insertion",
    .system = "sediment",
    .nx = 100,
    .ny = 1,
    .lx = length,
    .ly = length,
    .t_end = 1,
    .value = value,
    .given = given,
    .constant = {1, 1, layer},
    .exact_value = exact_value,
    .verify = &verify,
};
