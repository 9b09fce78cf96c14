/* Makes simulations from scenes, and outcomes from simulations. */
#include "verification/run/simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/reals.h"
#include "core/problem/initial_state.h"
#include "core/registry/registry.h"

static double bed_of(const void *context, int i, int j)
{
    const struct scene *s = context;
    return s->bed[scene_corner(s, i, j)];
}

static struct flow water_of(const void *context, int i, int j)
{
    const struct scene *s = context;
    const size_t k = scene_cell(s, i, j);
    return (struct flow){s->field[0][k], s->field[1][k], s->field[2][k]};
}

static struct forcing force_of(const void *context, int i, int j)
{
    const struct scene *s = context;
    const size_t k = scene_cell(s, i, j);
    return (struct forcing){.w = s->force[0][k], .hu = s->force[1][k], .hv = s->force[2][k]};
}

static double manning_of(const void *context, int i, int j)
{
    const struct scene *s = context;
    return s->rough[scene_cell(s, i, j)];
}

static double tracer_of(const void *context, int i, int j)
{
    const struct scene *s = context;
    return s->field[s->system->carried][scene_cell(s, i, j)];
}

static double value_of(const void *context, int k, int i, int j)
{
    const struct scene *s = context;
    return s->field[k][scene_cell(s, i, j)];
}

static double given_of(const void *context, int k, int i, int j)
{
    const struct scene *s = context;
    return s->given[k][scene_cell(s, i, j)];
}

enum err simulation_create(struct sim **sim, const struct config *c, const struct scene *s)
{
    struct setup setup = {
        .config = c,
        .grid = {s->nx, s->ny, 0, 0, s->dx, s->dy},
        .segments = s->segments,
        .segment_count = s->segment_count,
        .t_end = s->t_end,
        .gravity = 9.81,
        .manning = s->manning,
        .drag = s->drag,
        .kappa = s->kappa,
        .rain = s->rain,
        .soil = s->soil,
        .springs = s->springs,
        .system = s->system,
        .source = {.context = (void *)(size_t)s, /* which reads it */
                   .tracer = s->system->carried ? tracer_of : NULL,
                   .bed = bed_of,
                   .water = water_of,
                   .discharges = 1,
                   .force = s->forced ? force_of : NULL,
                   .manning = s->per_cell ? manning_of : NULL},
    };
    memcpy(setup.boundary, s->boundary, sizeof setup.boundary);
    memcpy(setup.edge, s->edge, sizeof setup.edge);
    memcpy(setup.constant, s->constant, sizeof setup.constant);
    if (!s->system->over_bed)
        setup.source =
            (struct source){.context = setup.source.context, .value = value_of, .given = given_of};
    return sim_create(sim, &setup);
}

static enum err fetch(struct sim *sim, struct outcome *o)
{
    const size_t cells = (size_t)sim->grid.nx * (size_t)sim->grid.ny;
    o->depth = calloc(cells, sizeof *o->depth);
    if (!o->depth)
        FAIL(MEMORY, "no memory for the depths of %d x %d cells", sim->grid.nx, sim->grid.ny);
    const int water = sim->system->over_bed;
    if (water)
        TRY(sim_level(sim, o->state.field[0]));
    for (int k = water ? 1 : 0; k < sim->system->unknowns; k++) {
        TRY(sim_read(sim, sim_unknown(sim, k), NULL, o->state.field[k]));
        reals_widen(o->state.field[k], sim->real_size, cells);
    }
    if (!water)
        return ERR_OK;
    TRY(sim_depth(sim, o->depth));
    reals_widen(o->depth, sim->real_size, cells);
    return ERR_OK;
}

enum err simulation_outcome(struct sim *sim, const struct scene *s, struct outcome *o)
{
    enum err e = ERR_OK;
    *o = (struct outcome){.precision = sim->real_size == sizeof(double) ? F64 : F32,
                          .clock = sim->now,
                          .volume0 = sim->total0[0],
                          .dry = sim->initial->dry};
    TRY(scene_seen(&o->state, s, 0));
    TRY_OUT(fetch(sim, o));
    TRY_OUT(sim_balance(sim, &o->balance));
    return ERR_OK;
out:
    outcome_free(o);
    return e;
}

enum err simulation_start(const struct config *c, const struct scene *s, struct scene *stored)
{
    struct sim *sim = NULL;
    struct outcome o;
    TRY(simulation_create(&sim, c, s));
    const enum err e = simulation_outcome(sim, s, &o);
    sim_destroy(sim);
    if (e)
        return e;
    *stored = o.state;
    free(o.depth);
    return ERR_OK;
}

void simulate_otherwise(struct config *c, const struct aspect *a)
{
    if ((a->how & EXCHANGE) && find_scheme(c->scheme)->split)
        c->sweep = SWEEP_YX;
}

enum err simulate(const struct config *c, const struct scene *s, struct outcome *o)
{
    struct sim *sim = NULL;
    TRY(simulation_create(&sim, c, s));
    enum err ran = sim_run(sim, (double)INFINITY, NULL), e = ran;
    if (ran == ERR_OK || ran == ERR_BROKEN)
        e = simulation_outcome(sim, s, o);
    if (e == ERR_OK)
        o->broken = ran == ERR_BROKEN;
    sim_destroy(sim);
    return e;
}

enum err simulation_watch(struct sim *sim, const struct scene *s, double every,
                          void (*look)(const struct outcome *o, double t, void *seen), void *seen,
                          struct outcome *o)
{
    double t = every;
    while (t <= s->t_end + 0.5 * every && !o->broken) {
        const enum err ran = sim_run(sim, t < s->t_end - 0.5 * every ? t : (double)INFINITY, NULL);
        if (ran && ran != ERR_BROKEN)
            return ran;
        outcome_free(o);
        TRY(simulation_outcome(sim, s, o));
        o->broken = ran == ERR_BROKEN;
        look(o, t, seen);
        t += every;
    }
    return ERR_OK;
}

void outcome_free(struct outcome *o)
{
    scene_free(&o->state);
    free(o->depth);
    o->depth = NULL;
}

double outcome_depth(const struct outcome *o, int i, int j)
{
    return o->depth[scene_cell(&o->state, i, j)];
}

double outcome_deepest(const struct outcome *o)
{
    double most = 0;
    for (int j = 0; j < o->state.ny; j++)
        for (int i = 0; i < o->state.nx; i++)
            most = fmax(most, outcome_depth(o, i, j));
    return most;
}

double outcome_mass_error(const struct outcome *o)
{
    const struct balance *b = &o->balance;
    return (b->volume - o->volume0 - b->inflow - b->clipped_in) / o->volume0;
}
