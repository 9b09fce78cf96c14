/* Single precision computes what double precision does, to rounding. */
#include <math.h>

#include "verification/run/invariant.h"
#include "verification/run/simulate.h"

static int applies(const struct variant *v)
{
    return v->precision == F32;
}

/* A column of water of 2.5 m and 2.5 m radius in 0.5 m, 40 m x 40 m, for 1 s. */
static enum err column(struct scene *s, int n)
{
    TRY(scene_create(s, n, n));
    s->dx = s->dy = 40.0 / n;
    s->kappa = 1e-3;
    scene_level(s, 0.5);
    scene_dam(s, 0.5 * (n - 1), 0.5 * (n - 1), 2.5 / s->dx, 2.5);
    return ERR_OK;
}

/* The first power of two that is enough: its inverse is the same number in either precision. */
static long steps_to_a_second(const struct config *c, double dx)
{
    const double fastest = 9; /* m/s, |u| + c of what the column becomes */
    long steps = 1;
    while ((double)steps * c->cfl * dx < fastest)
        steps *= 2;
    return steps;
}

/* The largest difference of the tracer. */
static double tracer_gap(const struct scene *a, const struct scene *b)
{
    const int c = a->system->carried;
    double most = 0;
    for (size_t k = 0; k < scene_cell(a, 0, a->ny); k++) {
        const double apart = fabs(a->field[c][k] - b->field[c][k]);
        most = apart <= most ? most : apart;
    }
    return most;
}

static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    enum err e = ERR_OK;
    struct variant twice = *v;
    struct config single, both;
    struct scene s;
    struct outcome a = {0}, b = {0};
    twice.precision = F64;
    variant_configure(&single, v);
    variant_configure(&both, &twice);
    TRY(column(&s, effort ? 100 : 50));
    long steps = steps_to_a_second(&single, s.dx);
    single.dt = both.dt = 1.0 / (double)steps;
    single.steps = both.steps = steps;
    TRY_OUT(simulate(&single, &s, &a));
    TRY_OUT(simulate(&both, &s, &b));
    struct gap gap = scene_gap(&b.state, &a.state, 0);
    found(f, "levels in f32 and f64 at 1 s, m", s.nx, gap.level, 3e-6,
          "10 spacings of f32 at 2.5 m; 3.8e-7 m with another code, more with more steps");
    if (s.system->carried)
        found(f, "c in f32 and f64 at 1 s", s.nx, tracer_gap(&a.state, &b.state), 5e-6,
              "40 spacings of f32 at 1; 4.5e-7 was reached");
out:
    outcome_free(&a);
    outcome_free(&b);
    scene_free(&s);
    return e;
}

extern const struct invariant invariant_precision;
const struct invariant invariant_precision = {
    .name = "precision",
    .title = "f32 computes what f64 does, to rounding",
    .why = "a circular dam break with the same fixed steps: catches overflow, cancellation and "
           "thresholds that only one precision has",
    .quick = 1,
    .carried = CARRIED_UNLESS_QUICK,
    .applies = applies,
    .measure = measure,
};
