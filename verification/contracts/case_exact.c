/* Checks the exact solution of a case against the shallow-water equations, and its scales against
 * each other. */
#include <math.h>
#include <stdio.h>

#include "core/problem/initial_state.h"
#include "core/problem/problem.h"
#include "verification/contracts/case_view.h"

/* Residuals of the shallow-water equations at (x,y,t) by central differences: the largest of the
 * three, each over its own largest term. -1 beside dry ground. */
static double residual(const struct flow_case *c, double x, double y, double t)
{
    const double d = 1e-4 * c->lx, dt = 1e-4 * c->t_end;
    const struct flow west = c->exact(x - d, y, t), east = c->exact(x + d, y, t);
    const struct flow south = c->exact(x, y - d, t), north = c->exact(x, y + d, t);
    const struct flow before = c->exact(x, y, t - dt), after = c->exact(x, y, t + dt);
    const struct flow here = c->exact(x, y, t);
    const double bed = c->bed(x, y), g = c->gravity;
    const double hw = west.w - c->bed(x - d, y), he = east.w - c->bed(x + d, y);
    const double hs = south.w - c->bed(x, y - d), hn = north.w - c->bed(x, y + d);
    if (fmin(fmin(hw, he), fmin(hs, hn)) <= 0 || fmin(before.w, after.w) <= bed || here.w <= bed)
        return -1;
    const double term[3][4] = {
        {(after.w - before.w) / (2 * dt), (he * east.u - hw * west.u) / (2 * d),
         (hn * north.v - hs * south.v) / (2 * d), 0},
        {(after.u - before.u) / (2 * dt), here.u * (east.u - west.u) / (2 * d),
         here.v * (north.u - south.u) / (2 * d), g * (east.w - west.w) / (2 * d)},
        {(after.v - before.v) / (2 * dt), here.u * (east.v - west.v) / (2 * d),
         here.v * (north.v - south.v) / (2 * d), g * (north.w - south.w) / (2 * d)},
    };
    double worst = 0;
    for (int k = 0; k < 3; k++) {
        double sum = 0, most = 0;
        for (int n = 0; n < 4; n++) {
            sum += term[k][n];
            most = fmax(most, fabs(term[k][n]));
        }
        /* The differences round at 1e-12 of a slope of one part in the domain. */
        worst = fmax(worst, fabs(sum) / (most + 1e-4 / fmax(c->lx, c->t_end)));
    }
    return worst;
}

void case_ask_exact(const struct flow_case *c, struct remarks *r)
{
    enum { NX = 31, NY = 29 };
    static const char check[] = "exact solution";
    const struct case_view v = {c, NX, NY};
    char example[160] = "";
    int wet = 0, off = 0;
    if (!c->exact || c->manning > 0 || c->drag > 0 || c->forcing) {
        remark(r, NOT_ASKED, check, "", "%s",
               c->exact ? "not checked against the equations, as it has friction or forcing"
                        : "it has none");
        return;
    }
    for (int k = 0; k < NX * NY; k++) {
        const double t = c->t_end * (0.01 + 0.97 * k / (NX * NY));
        const double x = case_centre_x(&v, k % NX), y = case_centre_y(&v, k / NX);
        const double off_by = residual(c, x, y, t);
        wet += off_by >= 0;
        if (off_by > 1e-5 && !off++)
            snprintf(
                example, sizeof example,
                "at x = %.6g, y = %.6g, t = %.6g s the terms of an equation add up to %.2g of the "
                "largest",
                x, y, t, off_by);
    }
    /* A shock or a kink may cross a few of the points. */
    if (wet >= 50 && off <= wet / 10)
        remark(r, HOLDS, check, "", "the exact solution solves the shallow-water equations");
    else if (wet < 50)
        remark(r, FAILS, check, "", "%s has an exact solution that is dry nearly everywhere",
               c->name);
    else
        remark(
            r, FAILS, check, example,
            "%s has an exact solution that does not solve the shallow-water equations: probably a "
            "wrong sign or factor, or a gravity other than .gravity",
            c->name);
}

/* Waves that cross no cell, or too many domains: a length, time or depth is in another unit than
 * metres and seconds. */
static int has_mixed_units(const struct flow_case *c, const struct initial *in, char *text,
                           size_t n)
{
    const double cell = c->lx / c->nx, speed = sqrt(c->gravity * in->depth_max);
    const double way = speed * c->t_end;
    snprintf(text, n,
             "waves of %.3g m/s (depth %.3g m, gravity %.3g m/s2) go %.3g m until .t_end; a cell "
             "is %.3g m, the domain %.3g m",
             speed, in->depth_max, c->gravity, way, cell, c->lx);
    return c->gravity < 0.1 || c->gravity > 100 || way < 0.5 * cell || way > 1e4 * c->lx ||
           in->depth_max > 10 * c->lx;
}

static void ask_kappa(const struct flow_case *c, const struct initial *in, struct remarks *r)
{
    char example[160];
    snprintf(example, sizeof example, "kappa is %.3g m (%s), the largest depth %.3g m", in->kappa,
             in->kappa_rule, in->depth_max);
    if (in->kappa > 0.5 * in->depth_max)
        remark(r, FAILS, "kappa", example,
               c->kappa > 0
                   ? "%s has a kappa as large as its depths, so that all velocities are damped: "
                     "lower .kappa"
                   : "%s states no kappa, and the rule makes one as large as its depths, so that "
                     "all velocities are damped: state .kappa, as where the shore is a cliff",
               c->name);
    else
        remark(r, c->kappa > 0 ? HOLDS : NOTED, "kappa", "", "%s", example);
}

enum err case_ask_scales(const struct flow_case *c, struct remarks *r)
{
    struct config config;
    struct problem p;
    struct initial *in = NULL;
    char text[320];
    config_case_defaults(&config);
    enum err e = problem_open_case(&p, c, &config);
    if (!e)
        e = initial_create(&in, &p.setup, F64);
    problem_close(&p);
    if (e == ERR_INPUT) {
        remark(r, FAILS, "at its own size", err_message(), "%s cannot be run", c->name);
        return ERR_OK;
    }
    TRY(e);
    ask_kappa(c, in, r);
    if (has_mixed_units(c, in, text, sizeof text))
        remark(r, FAILS, "units", text,
               "%s has inconsistent numbers: lengths are in metres, times in seconds; "
               "probably one of .lx, .t_end, .gravity or a depth is in another unit",
               c->name);
    else
        remark(r, HOLDS, "units", "", "lengths, depths and times are consistent");
    initial_destroy(in);
    return ERR_OK;
}
