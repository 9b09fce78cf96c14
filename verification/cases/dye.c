/* A shallow, fast flow carries dye across a periodic square, askew to the grid. The dye is smooth, and known at all
 * times: this measures the order of a tracer. */
#include <math.h>

#include "verification/run/verify.h"

static const double depth = 0.02, u = 1, v = 0.5, turn = 2 * 3.14159265358979323846; /* m, m/s */

static struct flow exact(double x, double y, double t)
{
    (void)x, (void)y, (void)t;
    return (struct flow){depth, u, v};
}

static double tracer(double x, double y, double t)
{
    return 0.5 + 0.2 * (sin(turn * (x - u * t)) + cos(turn * (y - v * t)));
}

static const char measured[] = "1.5 times what rk2 reached";
static const char claim[] = "what the scheme claims; flow and dye are smooth";

static const struct check checks[] = {
    {&norm_mean_c, .n = 50, .most = 3.4e-3, .first = 2, .why = measured},
    {&norm_mean_c, .n = 100, .most = 8.8e-4, .first = 2, .why = measured},
    {&norm_mean_c, .n = 200, .most = 2.2e-4, .first = 3, .why = measured},
    {&norm_mean_c, .n = 100, .order = CLAIMED, .why = claim},
    {&norm_mean_c, .n = 200, .order = CLAIMED, .why = claim},
    {0},
};

static const struct verification verify = {
    .checks = checks, .ladder = {50, 100, 200}, .quick = 2, .usual = 3};

const struct flow_case case_dye = {
    .name = "dye",
    .title = "dye that a uniform flow carries across a periodic square",
    .cite = "exact by insertion",
    .system = "tracer",
    .nx = 100,
    .ny = 100,
    .lx = 1,
    .ly = 1,
    .t_end = 0.5,
    .gravity = 9.81,
    .boundary = {PERIODIC, PERIODIC, PERIODIC, PERIODIC},
    .bed = flat_bed,
    .tracer = tracer,
    .exact = exact,
    .verify = &verify,
};
