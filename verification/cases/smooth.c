/* Smooth flow over a smooth bed in a periodic channel: Xing and Shu 2005; Kurganov and Petrova 2007,
 * example 1, with its gravity of 9.812 m/s2. It ends before anything breaks. The reference is computed,
 * to 1e-8: half as many points more and twice the steps change it by 5e-9. */
#include <math.h>

#include "verification/references/spectral.h"
#include "verification/run/verify.h"

static const double pi = 3.14159265358979323846;

static double bed(double x, double y)
{
    (void)y;
    return sin(pi * x) * sin(pi * x);
}

static struct flow initial(double x, double y)
{
    double h = 5 + exp(cos(2 * pi * x));
    return (struct flow){.w = h + bed(x, y), .u = sin(cos(2 * pi * x)) / h};
}

enum { POINTS = 256, STEPS = 3000 };

static const struct spectral spectral = {.points = POINTS,
                                         .steps = STEPS,
                                         .length = 1,
                                         .gravity = 9.812,
                                         .t_end = 0.1,
                                         .bed = bed,
                                         .initial = initial};

static struct reference reference = {.doubles = SPECTRAL_DOUBLES(POINTS),
                                     .of = &spectral,
                                     .compute = spectral_compute,
                                     .at = spectral_flow};

static const char measured[] = "1.5 times what an independent f64 code reached with this scheme";
static const char claim[] = "what the scheme claims; the flow is smooth";

static const struct check checks[] = {
    {&norm_mean_w, .n = 200, .most = 1.7e-3, .first = 6, .why = measured},
    {&norm_mean_hu, .n = 200, .most = 1.4e-2, .first = 6, .why = measured},
    {&norm_mean_w, .n = 400, .most = 4.5e-4, .first = 12, .why = measured},
    {&norm_mean_hu, .n = 400, .most = 3.5e-3, .first = 12, .why = measured},
    {&norm_mean_w, .n = 800, .most = 1.1e-4, .first = 24, .why = measured},
    {&norm_mean_hu, .n = 800, .most = 9e-4, .first = 24, .why = measured},
    {&norm_mean_w, .n = 400, .order = CLAIMED, .why = claim},
    {&norm_mean_hu, .n = 400, .order = CLAIMED, .why = claim},
    {0},
};

static const struct verification verify = {
    .checks = checks,
    .reference = &reference,
    .ladder = {200, 400, 800, 1600},
    .quick = 2,
    .usual = 3,
    .limiters = 1,
};

const struct flow_case case_smooth = {
    .name = "smooth",
    .title = "smooth flow over a smooth bed in a periodic channel",
    .cite = "Xing and Shu 2005; Kurganov and Petrova 2007, example 1",
    .nx = 200,
    .ny = 1,
    .lx = 1,
    .ly = 0.005,
    .t_end = 0.1,
    .gravity = 9.812,
    .boundary = {PERIODIC, PERIODIC, PERIODIC, PERIODIC},
    .bed = bed,
    .initial = initial,
    .verify = &verify,
};
