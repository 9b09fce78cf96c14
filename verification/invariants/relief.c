/* A river that falls from 3000 m to the sea flows in f32 as it does in f64, and loses no water. */
#include <math.h>
#include <stdlib.h>

#include "core/registry/registry.h"
#include "verification/run/case_sim.h"
#include "verification/run/invariant.h"

enum { QUICK_NX = 60, USUAL_NX = 120 };

/* The final state. */
struct ended {
    unsigned long steps;
    double out, mass_error; /* m3; the latter as a share of all water */
    size_t cells, real_size;
    void *depth; /* m, in the run's precision */
};

static enum err look_at_end(struct sim *sim, struct ended *to)
{
    struct balance b;
    to->cells = (size_t)sim->grid.nx * (size_t)sim->grid.ny;
    to->real_size = sim->real_size;
    to->steps = sim->now.steps;
    to->depth = calloc(to->cells, sim->real_size);
    if (!to->depth)
        FAIL(MEMORY, "no memory for the depths of %zu cells", to->cells);
    TRY(sim_balance(sim, &b));
    to->out = sim_went_out(&b);
    to->mass_error = fabs(sim_mass_error(sim, &b));
    return sim_depth(sim, to->depth);
}

static enum err flow(const struct flow_case *c, const struct variant *v, enum precision p, int nx,
                     struct ended *to)
{
    struct variant with = *v;
    struct case_sim *s = calloc(1, sizeof *s);
    enum err e = ERR_OK;
    *to = (struct ended){0};
    with.precision = p;
    if (!s)
        FAIL(MEMORY, "no memory for a run");
    variant_configure(&s->config, &with);
    s->config.nx = nx;
    TRY_OUT(case_sim_open(s, c));
    TRY_OUT(sim_run(s->sim, (double)INFINITY, NULL));
    TRY_OUT(look_at_end(s->sim, to));
out:
    case_sim_close(s);
    free(s);
    return e;
}

/* As f32 rounds it over this relief: to 2^-11 m. */
static double rounded_bed(double x, double y)
{
    return ldexp(rint(ldexp(find_case("river")->bed(x, y), 11)), -11);
}

/* The allowed relative differences of two final states. */
enum { OUTFLOW, STEPS, DEPTHS, SHARES };

static const struct {
    const char *what, *rounded; /* the latter: for f64 over the rounded bed */
    double most;
    const char *why;
} share[SHARES] = {
    {"outflow apart", "outflow apart, f64, rounded bed", 1e-3,
     "the outflow is the discharge, in any precision"},
    {"steps apart", "steps apart, f64, rounded bed", 0.01, "the same waves: only rounding differs"},
    {"depths apart", "depths apart, f64, rounded bed", 1e-4,
     "the bed is rounded by up to 2.4e-4 m over this relief, the river 0.5 m deep"},
};

static double depth_of_cell(const struct ended *e, size_t k)
{
    return e->real_size == sizeof(float) ? (double)((const float *)e->depth)[k]
                                         : ((const double *)e->depth)[k];
}

/* Depths: sum |h - h64| / sum h64. */
static void compare(const struct ended *one, const struct ended *twice, double apart[SHARES])
{
    const double steps = (double)twice->steps;
    double sum = 0;
    apart[OUTFLOW] = fabs(one->out / twice->out - 1);
    apart[STEPS] = fabs((double)one->steps - steps) / steps;
    apart[DEPTHS] = 0;
    for (size_t k = 0; k < twice->cells; k++) {
        apart[DEPTHS] += fabs(depth_of_cell(one, k) - depth_of_cell(twice, k));
        sum += depth_of_cell(twice, k);
    }
    apart[DEPTHS] /= sum;
}

/* In f64, over the bed as f32 rounds it. */
static enum err flow_over_rounded_bed(const struct variant *v, int nx, struct ended *to)
{
    struct flow_case rounded = *find_case("river");
    rounded.bed = rounded_bed;
    return flow(&rounded, v, F64, nx, to);
}

/* A flow that rounding the bed changes by more than the limit in f64, too, has two ends: with kp, ds2 may take
 * the bank's films in long double steps or redo each with half, and micrometres decide which. There f32 must come
 * to one of the two, within a tenth of what lies between them. The tenth was chosen when the result was known, a
 * hundredth: verification/README.md. */
static void judge_shares(int nx, const struct ended *single, const struct ended *twice,
                         const struct ended *rounded, struct findings *f)
{
    double apart[SHARES], between[SHARES] = {0}, beside[SHARES] = {0};
    compare(single, twice, apart);
    if (rounded->depth) {
        compare(rounded, twice, between);
        compare(single, rounded, beside);
    }
    for (int k = 0; k < SHARES; k++) {
        const int sensitive = between[k] > share[k].most;
        found(f, share[k].what, nx, sensitive ? fmin(apart[k], beside[k]) : apart[k],
              sensitive ? fmax(share[k].most, between[k] / 10) : share[k].most,
              sensitive
                  ? "f32 comes to the end of f64, or to that of f64 over the bed as f32 rounds it"
                  : share[k].why);
        if (sensitive)
            found(f, share[k].rounded, nx, between[k], (double)NAN,
                  "how sensitive the flow is: f64 over the bed as f32 rounds it");
    }
}

static int misses_a_limit(const struct ended *single, const struct ended *twice)
{
    double apart[SHARES];
    compare(single, twice, apart);
    for (int k = 0; k < SHARES; k++)
        if (!(apart[k] <= share[k].most))
            return 1;
    return 0;
}

static enum err judge(const struct variant *v, int nx, const struct ended *single,
                      const struct ended *twice, struct findings *f)
{
    /* Else walls leak, or films are clipped. */
    const int keeps = variant_is_symmetric(v) && variant_is_positive(v);
    struct ended rounded = {0};
    enum err e = ERR_OK;
    if (misses_a_limit(single, twice))
        e = flow_over_rounded_bed(v, nx, &rounded);
    if (!e)
        judge_shares(nx, single, twice, &rounded, f);
    free(rounded.depth);
    TRY(e);
    found(f, "mass error, f32", nx, single->mass_error, keeps ? 5e-6 : LEAK,
          "rounding without a bias");
    found(f, "mass error, f64", nx, twice->mass_error, keeps ? 1e-9 : LEAK, "rounding");
    return ERR_OK;
}

static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    const struct flow_case *river = find_case("river");
    struct ended single = {0}, twice = {0};
    const int nx = effort ? USUAL_NX : QUICK_NX;
    enum err e = ERR_OK;
    TRY_OUT(flow(river, v, F32, nx, &single));
    TRY_OUT(flow(river, v, F64, nx, &twice));
    if (!(twice.out > 1e7))
        e = err_set(ERR_CHECK, __FILE__, __LINE__,
                    "invariant relief: %g m3 reached the sea: no test", twice.out);
    else
        e = judge(v, nx, &single, &twice, f);
out:
    free(single.depth);
    free(twice.depth);
    return e;
}

/* Runs both precisions itself, so only once. For schemes and reconstructions only: steeper limiters
 * are more sensitive to rounding at shores, and other fluxes add nothing. */
static int applies(const struct variant *v)
{
    return v->precision == F32 && variant_has_default_limiter(v) &&
           (variant_has_default_flux(v) || variant_needs_bed_flux(v));
}

extern const struct invariant invariant_relief;
const struct invariant invariant_relief = {
    .name = "relief",
    .title = "a river that falls from 3000 m to the sea is the same in f32, and keeps its water",
    .why = "levels of 3000 m leave f32 no room for a river half a metre deep: what is stored must "
           "be close to zero",
    .quick = 1,
    .applies = applies,
    .measure = measure,
};
