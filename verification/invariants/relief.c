/* A river that falls from 3000 m to the sea flows in f32 as it does in f64, and loses no water. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/registry/registry.h"
#include "verification/run/case_sim.h"
#include "verification/run/invariant.h"

enum { QUICK_NX = 60, USUAL_NX = 120 };

/* How it ended. */
struct ended {
    unsigned long steps;
    double out, mass_error; /* m3; the latter as a share of all water */
    size_t cells;
    void *depth; /* m, in the run's precision */
};

static enum err look(struct sim *sim, struct ended *to)
{
    struct balance b;
    to->cells = (size_t)sim->grid.nx * (size_t)sim->grid.ny;
    to->steps = sim->now.steps;
    to->depth = calloc(to->cells, sim->real_size);
    if (!to->depth)
        FAIL(MEMORY, "no memory for the depths of %zu cells", to->cells);
    TRY(sim_balance(sim, &b));
    to->out = sim_went_out(&b);
    to->mass_error = fabs(sim_mass_error(sim, &b));
    return sim_depth(sim, to->depth);
}

static enum err flow(const struct variant *v, enum precision p, int nx, struct ended *to)
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
    TRY_OUT(case_sim_open(s, find_case("river")));
    TRY_OUT(sim_run(s->sim, (double)INFINITY, NULL));
    TRY_OUT(look(s->sim, to));
out:
    case_sim_close(s);
    free(s);
    return e;
}

/* sum |h32 - h64| / sum h64. */
static double depths_apart(const struct ended *single, const struct ended *twice)
{
    const float *a = single->depth;
    const double *b = twice->depth;
    double apart = 0, sum = 0;
    for (size_t k = 0; k < twice->cells; k++) {
        apart += fabs((double)a[k] - b[k]);
        sum += b[k];
    }
    return apart / sum;
}

/* On banks kp makes films fast, for which ds2 redoes half of its steps: split schemes are tens of times as
 * sensitive to the bed's rounding as others there. */
static double most_apart(const struct variant *v)
{
    const struct scheme *scheme = find_scheme(v->scheme);
    const int films = strcmp(variant_reconstruction(v), "kp") == 0;
    return films && scheme && scheme->split ? (double)NAN : 1e-4;
}

static void judge(const struct variant *v, int nx, const struct ended *single,
                  const struct ended *twice, struct findings *f)
{
    const double steps = (double)twice->steps;
    const int symmetric = variant_is_symmetric(v);
    found(f, "outflow apart", nx, fabs(single->out / twice->out - 1), 1e-3,
          "what leaves is the discharge: no precision changes it");
    found(f, "steps apart", nx, fabs((double)single->steps - steps) / steps, 0.01,
          "the same waves: only rounding differs");
    found(f, "depths apart", nx, depths_apart(single, twice), most_apart(v),
          "the bed is rounded by up to 2.4e-4 m over this relief, the river 0.5 m deep");
    found(f, "mass error, f32", nx, single->mass_error, symmetric ? 5e-6 : LEAK,
          "rounding without a bias");
    found(f, "mass error, f64", nx, twice->mass_error, symmetric ? 1e-9 : LEAK, "rounding");
}

static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    struct ended single = {0}, twice = {0};
    const int nx = effort ? USUAL_NX : QUICK_NX;
    enum err e = ERR_OK;
    TRY_OUT(flow(v, F32, nx, &single));
    TRY_OUT(flow(v, F64, nx, &twice));
    if (!(twice.out > 1e7))
        e = err_set(ERR_CHECK, __FILE__, __LINE__,
                    "invariant relief: %g m3 reached the sea: no test", twice.out);
    else
        judge(v, nx, &single, &twice, f);
out:
    free(single.depth);
    free(twice.depth);
    return e;
}

/* Runs in both precisions: asked once. Of schemes and reconstructions: steeper limiters are more sensitive to
 * rounding at shores, and other fluxes bring nothing new. */
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
