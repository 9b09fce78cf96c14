/* A plane water surface that swings in a parabolic channel and dies out by linear friction: Sampson,
 * Easton and Singh 2006, with the settings of Basilisk's test parabola.c. */
#include <math.h>

#include "verification/references/basin.h"
#include "verification/run/verify.h"

static const struct channel channel = {
    .depth = 10, .l = 3000, .speed = 5, .drag = 1e-3, .gravity = 9.81};

static double bed(double x, double y)
{
    (void)y;
    return channel_bed(&channel, x);
}

static struct flow exact(double x, double y, double t)
{
    (void)y;
    return channel_flow(&channel, x, t);
}

static double e1(const struct snapshot *s)
{
    return norm_mean_w.of(s) / channel.depth;
}

static double e2(const struct snapshot *s)
{
    double sum = 0;
    int cells = s->grid.nx * s->grid.ny;
    for (int k = 0; k < cells; k++)
        sum += (s->h[k] - s->rh[k]) * (s->h[k] - s->rh[k]);
    return sqrt(sum / cells) / channel.depth;
}

static const struct norm norm_e1 = {"e1", "mean |h - reference| over the basin's depth", e1};
static const struct norm norm_e2 = {"e2",
                                    "root mean square of h - reference over the basin's depth", e2};

static const char measured[] =
    "1.5 to 1.8 times what an independent f64 code reached with this scheme";
static const char shore[] = "the moving shore is first order";

static const struct check checks[] = {
    {&norm_e1, .at = MEAN, .n = 32, .most = 4.2e-3, .why = measured},
    {&norm_e1, .at = MEAN, .n = 64, .most = 1.6e-3, .why = measured},
    {&norm_e1, .at = MEAN, .n = 128, .most = 1e-3, .why = measured},
    {&norm_e1, .at = MEAN, .n = 256, .most = 6.2e-4, .why = measured},
    {&norm_e1, .at = MEAN, .n = 512, .most = 3.5e-4, .why = measured},
    {&norm_e1, .at = MEAN, .n = 64, .order = 0.8, .why = shore},
    {0},
};

static const char who[] = "Basilisk, test parabola, explicit scheme (c7be0ad)";

static const struct published published[] = {
    {who, &norm_e1, MEAN, 32, 5.62421e-3},
    {who, &norm_e1, MEAN, 64, 1.72428e-3},
    {who, &norm_e1, MEAN, 128, 5.59563e-4},
    {who, &norm_e1, MEAN, 256, 1.6851e-4},
    {who, &norm_e1, MEAN, 512, 5.46466e-5},
    {who, &norm_e2, MEAN, 32, 9.74852e-3},
    {who, &norm_e2, MEAN, 64, 3.3601e-3},
    {who, &norm_e2, MEAN, 128, 1.23139e-3},
    {who, &norm_e2, MEAN, 256, 4.43276e-4},
    {who, &norm_e2, MEAN, 512, 1.67037e-4},
    {0},
};

static const struct verification verify = {
    .checks = checks,
    .published = published,
    .ladder = {32, 64, 128, 256, 512},
    .quick = 3,
    .usual = 5,
    .snapshots = 60,
};

const struct flow_case case_parabola_friction = {
    .name = "parabola-friction",
    .title = "plane surface dying out in a parabolic channel with linear friction",
    .cite = "Sampson, Easton and Singh 2006; Basilisk's parabola.c",
    .nx = 128,
    .ny = 1,
    .lx = 10000,
    .ly = 312.5,
    .x0 = -5000,
    .t_end = 6000,
    .gravity = 9.81,
    .drag = 1e-3,
    .kappa = 0.05,
    .kappa_scales = 1,
    .boundary = {WALL, WALL, WALL, WALL},
    .bed = bed,
    .exact = exact,
    .verify = &verify,
};
