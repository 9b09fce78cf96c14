/* On a level floor nothing moves; where there is one sediment only, there is no other later. */
#include <string.h>

#include "core/registry/registry.h"
#include "verification/run/invariant.h"
#include "verification/run/simulate.h"

/* How many values of the unknowns from `first` on have other bits in the end. */
static enum err changes(const struct config *c, const struct scene *s, int first, double *changed)
{
    enum err e = ERR_OK;
    struct scene before = {0};
    struct outcome after = {0};
    TRY_OUT(simulation_start(c, s, &before));
    TRY_OUT(simulate(c, s, &after));
    for (int k = 0; k < first; k++)
        memcpy(before.field[k], after.state.field[k],
               scene_cell(s, 0, s->ny) * sizeof *before.field[k]);
    *changed = scene_gap(&before, &after.state, 1).values;
out:
    scene_free(&before);
    outcome_free(&after);
    return e;
}

/* Whatever lies in the layer, and however easily it moves. */
static enum err level(const struct variant *v, const struct config *c, struct findings *f)
{
    double changed;
    struct scene s;
    TRY(scene_basin(&s, variant_system(v), 33, 26, 0, 1, 3));
    scene_level(&s, 2.5);
    const enum err e = changes(c, &s, 0, &changed);
    if (!e)
        found(f, "values that change on a level floor", s.nx, changed, 0,
              "no slope, no flux: the bits do not change");
    scene_free(&s);
    return e;
}

/* A rough floor of one sediment: its share is at a bound. */
static enum err pure(const struct variant *v, const struct config *c, int high, struct findings *f)
{
    double changed;
    struct scene s;
    TRY(scene_walled(&s, variant_system(v), 33, 26));
    for (int k = 0; k < s.system->unknowns; k++) {
        const struct unknown *u = &s.system->unknown[k];
        for (size_t n = 0; u->low < u->high && n < scene_cell(&s, 0, s.ny); n++)
            s.field[k][n] = high ? u->high : u->low;
    }
    const enum err e = changes(c, &s, 1, &changed);
    if (!e)
        found(f, high ? "cells in which pure sand changes" : "cells in which pure mud changes",
              s.nx, changed, 0, "what is not there does not move: the bits do not change");
    scene_free(&s);
    return e;
}

static enum err measure(const struct variant *v, int effort, struct findings *f)
{
    const long steps[] = {50, 200, 2000};
    struct config c;
    variant_configure(&c, v);
    c.steps = steps[effort];
    TRY(level(v, &c, f));
    for (int high = 0; high < 2 && variant_scheme(v)->bounded; high++)
        TRY(pure(v, &c, high, f));
    return ERR_OK;
}

extern const struct invariant invariant_basin_rest;
const struct invariant invariant_basin_rest = {
    .name = "basin-rest",
    .title = "a level floor stays as it is, and so does a floor of one sediment",
    .why = "fluxes need a slope, and something to move: catches slopes that do not cancel and "
           "shares that do not add up",
    .of = OF_BASINS,
    .quick = 1,
    .measure = measure,
};
