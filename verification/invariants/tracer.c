/* A tracer: a constant stays, bounds hold, nothing is lost. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/registry/registry.h"
#include "verification/run/invariant.h"
#include "verification/run/random.h"
#include "verification/run/simulate.h"

static int applies(const struct variant *v)
{
    const struct scheme *s = variant_scheme(v);
    return s && s->also != NULL && variant_is_positive(v) && v->positivity == BY_COURANT;
}

/* Which of them is in the scene. */
enum { CONSTANT, STEPS };

static void dye(struct scene *s, int what)
{
    const size_t cells = scene_cell(s, 0, s->ny);
    for (size_t k = 0; k < cells; k++)
        s->field[s->system->carried][k] = what == CONSTANT ? 0.7 : k % 3 ? 1 : 0;
    for (int e = 0; e < EDGES; e++)
        s->edge[e].c = what == CONSTANT ? 0.7 : e % 2;
}

/* How many wet cells have another c than 0.7; how far c leaves 0..1, in units in the last place of 1. */
static double strays(const struct outcome *o, int what)
{
    const double eps = precision_epsilon(o->precision);
    const double same = o->precision == F64 ? 0.7 : (double)0.7f;
    const size_t cells = scene_cell(&o->state, 0, o->state.ny);
    double found = 0;
    for (size_t k = 0; k < cells; k++) {
        const double c = o->state.field[o->state.system->carried][k];
        if (what == CONSTANT)
            found += o->depth[k] > 0 && !(c >= same && c <= same);
        else
            found = fmax(found, isfinite(c) ? fmax(-c, c - 1) / eps : (double)INFINITY);
    }
    return found;
}

/* The amount gained other than through edges and by clipping, relative to the initial amount. */
static enum err amount(struct sim *sim, double *share)
{
    struct balance b;
    TRY(sim_balance_of(sim, 1, &b));
    *share = fabs(b.volume - sim->total0[1] - b.inflow - b.clipped_in) / sim->total0[1];
    return ERR_OK;
}

static enum err run(const struct config *c, struct scene *s, int what, double *stray, double *share)
{
    struct sim *sim = NULL;
    struct outcome o = {0};
    dye(s, what);
    enum err e = simulation_create(&sim, c, s);
    if (!e)
        e = sim_run(sim, (double)INFINITY, NULL);
    if (!e)
        e = simulation_outcome(sim, s, &o);
    if (!e) {
        *stray = strays(&o, what);
        e = amount(sim, share);
    }
    outcome_free(&o);
    sim_destroy(sim);
    return e;
}

static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    enum err e = ERR_OK;
    struct config c;
    struct scene s = {0};
    double stray, share;
    const double lost = v->precision == F64 ? 1e-12 : 2e-5;
    variant_configure(&c, v);
    c.steps = effort == 2 ? 400 : 100;
    const struct plugin *limiter = find_plugin(limiters, c.limiter);
    scene_solve(find_system(find_scheme(c.scheme)->also));
    TRY_OUT(scene_rough(&s, 45, 38));
    scene_mixed_edges(&s);
    TRY_OUT(run(&c, &s, CONSTANT, &stray, &share));
    found(f, "wet cells in which a constant changed", s.nx, stray, 0,
          "its rate of change is a sum of zeros: to the bit, across fronts too");
    found(f, "amount of a constant lost", s.nx, share, lost, "edges count c times their water");
    TRY_OUT(run(&c, &s, STEPS, &stray, &share));
    if (limiter->properties & TVD)
        found(f, "units in the last place outside 0..1", s.nx, fmax(stray, 0), 4,
              "every cell's new value is a mean of old ones around it");
    found(f, "amount lost", s.nx, share, lost, "what one cell gains another loses: rounding");
out:
    scene_free(&s);
    scene_solve(NULL);
    return e;
}

extern const struct invariant invariant_tracer;
const struct invariant invariant_tracer = {
    .name = "tracer",
    .title = "a tracer: a constant stays, bounds hold, nothing is lost",
    .why = "a concentration moves with the water's own mass flux: catches one from the wrong side "
           "of a face, or from dry land",
    .quick = 1,
    .applies = applies,
    .measure = measure,
};
