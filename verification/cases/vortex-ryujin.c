/* A smooth vortex that moves across a square: ryujin's smooth_vortex, at whose errors ours are
 * measured. Its edges impose the exact solution; here they are periodic, where the vortex's own
 * velocity is below 1e-4 m/s. */
#include <math.h>

#include "verification/references/vortex.h"
#include "verification/run/verify.h"

static const double length = 12, start = -1;        /* m; the vortex starts at x = y = start */
static const double speed = 0.70710678118654752440; /* in x and in y: 1 m/s along the diagonal */
static const struct vortex vortex = {
    .depth = 2, .turn = 2 / (2 * 3.14159265358979323846), .gravity = 9.81};

static struct flow exact(double x, double y, double t)
{
    double middle = start + speed * t;
    struct flow f = vortex_gaussian(&vortex, vortex_wrapped(x - middle, length),
                                    vortex_wrapped(y - middle, length));
    f.u += speed;
    f.v += speed;
    return f;
}

static double relative(const double *q, const double *r, int n)
{
    double difference = 0, size = 0;
    for (int k = 0; k < n; k++) {
        difference += fabs(q[k] - r[k]);
        size += fabs(r[k]);
    }
    return difference / size;
}

static double sum_of_three(const struct snapshot *s)
{
    int n = s->grid.nx * s->grid.ny;
    return relative(s->h, s->rh, n) + relative(s->hu, s->rhu, n) + relative(s->hv, s->rhv, n);
}

static const struct norm norm_l1_all = {
    "L1 h+hu+hv", "sum of the relative L1 errors of h, hu and hv", sum_of_three};

static const char measured[] = "1.5 times what rk2 reached in f64";
static const char claim[] = "what the scheme claims; the flow is smooth";

static const struct check checks[] = {
    {&norm_l1_all, .n = 64, .most = 8.5e-3, .why = measured},
    {&norm_l1_all, .n = 128, .most = 2.2e-3, .first = 1.8, .why = measured},
    {&norm_l1_all, .n = 256, .most = 4.8e-4, .first = 3, .why = measured},
    {&norm_l1_all, .n = 128, .order = CLAIMED, .why = claim},
    {&norm_l1_all, .n = 256, .order = CLAIMED, .why = claim},
    {0},
};

static const char who[] = "ryujin, prm/verification, smooth_vortex (4b9b48e)";

static const struct published published[] = {
    {who, &norm_l1_all, LAST, 64, 6.27538e-4},
    {who, &norm_l1_all, LAST, 128, 8.40551e-5},
    {who, &norm_l1_all, LAST, 256, 1.09308e-5},
    {0},
};

static const struct verification verify = {
    .checks = checks,
    .published = published,
    .ladder = {64, 128, 256},
    .quick = 2,
    .usual = 3,
};

const struct flow_case case_vortex_ryujin = {
    .name = "vortex-ryujin",
    .title = "smooth vortex moving across a square, as in ryujin",
    .cite = "ryujin's smooth_vortex",
    .nx = 128,
    .ny = 128,
    .lx = 12,
    .ly = 12,
    .x0 = -6,
    .y0 = -6,
    .t_end = 2,
    .gravity = 9.81,
    .boundary = {PERIODIC, PERIODIC, PERIODIC, PERIODIC},
    .bed = flat_bed,
    .exact = exact,
    .verify = &verify,
};
