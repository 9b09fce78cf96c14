/* Neither the volume of all sediment nor that of sand changes but through edges. */
#include <math.h>
#include <stdio.h>

#include "core/registry/registry.h"
#include "verification/run/invariant.h"
#include "verification/run/simulate.h"

static const char *const WHY = "what leaves a cell enters the next: rounding, a random walk";

/* What a conserved quantity has gained other than through edges, as a mean over the cells, m. */
static enum err gain(struct sim *sim, const struct scene *s, int conserved, double *gained)
{
    struct balance b;
    TRY(sim_balance_of(sim, conserved, &b));
    *gained = fabs(b.volume - sim->total0[conserved] - b.inflow) / (s->dx * s->dy * s->nx * s->ny);
    return ERR_OK;
}

/* Only a scheme that keeps shares between their bounds claims to conserve each sediment. */
static double limit(const struct variant *v, int conserved)
{
    if (conserved > 0 && !variant_scheme(v)->bounded)
        return (double)NAN;
    return v->precision == F64 ? 1e-14 : 5e-6;
}

static enum err run(const struct variant *v, const struct config *c, const struct scene *s,
                    const char *where, struct findings *f)
{
    struct sim *sim = NULL;
    TRY(simulation_create(&sim, c, s));
    const enum err ran = sim_run(sim, (double)INFINITY, NULL);
    enum err e = ran == ERR_BROKEN ? ERR_OK : ran;
    for (int k = 0; k < s->system->conserveds && !e; k++) {
        const struct conserved *q = &s->system->conserved[k];
        char what[64];
        double gained = 0;
        e = gain(sim, s, k, &gained);
        snprintf(what, sizeof what, "%s gained %s, m", q->name, where);
        if (!e)
            found(f, what, s->nx, ran ? (double)INFINITY : gained, limit(v, k),
                  isnan(limit(v, k)) ? "reported: not of the form that conserves it" : WHY);
    }
    sim_destroy(sim);
    return e;
}

static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    const long steps[] = {100, 400, 4000};
    const struct system *system = variant_system(v);
    struct config c;
    struct scene s;
    variant_configure(&c, v);
    c.steps = steps[effort];
    TRY(scene_walled(&s, system, 33, 26));
    enum err e = run(v, &c, &s, "between walls", f);
    scene_free(&s);
    TRY(e);
    TRY(scene_busy(&s, system, 33, 26));
    e = run(v, &c, &s, "with flow through edges", f);
    scene_free(&s);
    return e;
}

extern const struct invariant invariant_basin_mass;
const struct invariant invariant_basin_mass = {
    .name = "basin-mass",
    .title = "a closed basin keeps its sand and mud, an open one accounts for them",
    .why = "fluxes leave one cell and enter the next, and edges bring what they are said to bring",
    .of = OF_BASINS,
    .quick = 1,
    .measure = measure,
};
