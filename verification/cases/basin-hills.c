/* Hills of sand and mud wear down in a closed basin. Nothing crosses its edges and nothing is forced, so that kernels read
 * what the model needs and no more: the tuner and the ladder of Su et al. 2013 work on it. */
#include <math.h>

#include "verification/run/verify.h"

static const double size = 100; /* m */
static const double pi = 3.14159265358979323846;

/* The same from both sides of a line through the middle. */
static double waves(double x, double y, double of_x, double of_y)
{
    return cos(2 * pi * of_x * x / size) * cos(2 * pi * of_y * y / size);
}

static double value(double x, double y, int k)
{
    return k == 0 ? 2 * waves(x, y, 2, 1) + waves(x, y, 1, 3) : 0.5 + 0.2 * waves(x, y, 1, 2);
}

static double given(double x, double y, int k)
{
    return k == 0 ? 0.02 * (1 + 0.3 * waves(x, y, 1, 1)) : 0.03 * (1 + 0.3 * waves(x, y, 2, 2));
}

static const char conserved[] = "conserved: rounding";

static const struct check checks[] = {
    {&norm_gained, .n = 50, .most = 1e-13, .f64_only = 1, .theory = 1, .why = conserved,
     .scheme = "basin_cons"},
    {&norm_gained, .n = 100, .most = 1e-13, .f64_only = 1, .theory = 1, .why = conserved,
     .scheme = "basin_cons"},
    {0},
};

static const struct verification verify = {
    .checks = checks, .ladder = {50, 100}, .quick = 1, .usual = 2, .bounded = 1};

const struct flow_case case_basin_hills = {
    .name = "basin-hills",
    .title = "hills of sand and mud wear down in a closed basin",
    .cite = "chosen here",
    .system = "sediment",
    .nx = 100,
    .ny = 100,
    .lx = size,
    .ly = size,
    .t_end = 1000,
    .value = value,
    .given = given,
    .constant = {0.6, 0.4, 0.5},
    .verify = &verify,
};
