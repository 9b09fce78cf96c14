/* What every scheme must preserve: rest, dryness, volume, symmetry. */
#include "verification/contracts/scheme_runs.h"

#include <math.h>
#include <string.h>

#include "core/registry/registry.h"

/* See stirs_a_lake; and to the bit. */
static enum err moves_a_lake(const struct config *c, const struct rung *g, struct seen *seen)
{
    enum err e = ERR_OK;
    struct scene s, before = {0};
    struct outcome o = {0};
    int ok;
    TRY(stirs_a_lake(c, g, seen));
    if (seen->broken)
        return ERR_OK;
    TRY(scene_create(&s, g->nx, g->ny));
    scene_random_bed(&s, -2, -0.2, 11);
    scene_level(&s, 0.37);
    TRY_OUT(simulation_start(c, &s, &before));
    TRY_OUT(run_steps(c, &s, g->steps, &o, seen, &ok));
    if (!ok)
        goto out;
    saw_gap(seen, &before, &o.state);
    seen->why =
        "keeps a lake at rest to rounding only, not to the bit: add the bed's source to the "
        "difference of the fluxes before anything else is added";
out:
    outcome_free(&o);
    scene_free(&before);
    scene_free(&s);
    return e;
}

/* From a column on, the first value that has other bits. */
static void saw_change(struct seen *seen, const struct scene *was, const struct scene *is, int from)
{
    for (int k = 0; k < was->system->unknowns; k++)
        for (int j = 0; j < was->ny; j++)
            for (int i = from; i < was->nx && !seen->broken; i++) {
                const size_t c = scene_cell(was, i, j);
                if (memcmp(&was->field[k][c], &is->field[k][c], sizeof **was->field) != 0)
                    saw(seen, "%s of dry cell (%d, %d) is %.9g, not %.9g",
                        unknown_name(was->system, k), i, j, is->field[k][c], was->field[k][c]);
            }
}

static enum err wets(const struct config *c, const struct scene *s, long steps, int from,
                     struct seen *seen)
{
    enum err e = ERR_OK;
    struct scene before = {0};
    struct outcome o = {0};
    int ok;
    TRY_OUT(simulation_start(c, s, &before));
    TRY_OUT(run_steps(c, s, steps, &o, seen, &ok));
    if (ok)
        saw_change(seen, &before, &o.state, from);
out:
    outcome_free(&o);
    scene_free(&before);
    return e;
}

/* All dry; then a stirred sea, a ridge that it cannot climb, and low land behind. */
static enum err wets_dry_land(const struct config *c, const struct rung *g, struct seen *seen)
{
    const int sea = g->nx / 3, land = g->nx / 2;
    struct scene s;
    TRY(scene_create(&s, g->nx, g->ny));
    scene_random_bed(&s, -1, 1, 5);
    scene_level(&s, -50);
    struct config fixed = *c;
    fixed.dt = 0.1; /* without waves Courant's rule does not limit the step */
    enum err e = wets(&fixed, &s, g->steps, 0, seen);
    if (!e && !seen->broken && sea > 3) {
        scene_coast(&s, sea, land);
        e = wets(c, &s, g->steps, land, seen);
    }
    scene_free(&s);
    return e;
}

static enum err misses_volume(const struct config *c, const struct scene *s, long steps,
                              struct seen *seen)
{
    struct outcome o;
    int ok;
    TRY(run_steps(c, s, steps, &o, seen, &ok));
    if (!ok)
        return ERR_OK;
    const struct balance *b = &o.balance;
    if (!(fabs(outcome_mass_error(&o)) <= volume_limit(c)))
        saw(seen,
            "%.9g m3 became %.9g; inflow %.6g, clipped in %.3g: an error of %.2g "
            "of the volume",
            o.volume0, b->volume, b->inflow, b->clipped_in, outcome_mass_error(&o));
    outcome_free(&o);
    return ERR_OK;
}

/* Fronts over a rough bed between walls. */
static enum err rough_basin(struct scene *s, const struct rung *g)
{
    TRY(scene_create(s, g->nx, g->ny));
    s->kappa = 0.05;
    scene_random_bed(s, -1, 1, 8);
    scene_level(s, 0.2);
    scene_dam(s, 0.35 * g->nx, 0.6 * g->ny, 0.2 * g->nx, 1.5);
    return ERR_OK;
}

static enum err loses_water(const struct config *c, const struct rung *g, struct seen *seen)
{
    struct scene s;
    TRY(changes_volume(c, g, seen));
    if (seen->broken)
        return ERR_OK;
    TRY(rough_basin(&s, g));
    const enum err e = misses_volume(c, &s, g->steps, seen);
    scene_free(&s);
    return e;
}

/* Steps beyond the stable size take more out of cells than they hold: that is clipped, and
 * counted. */
static enum err miscounts_clipping(const struct config *c, const struct rung *g, struct seen *seen)
{
    struct scene s;
    struct config rash = *c;
    rash.dt = 0.1;
    TRY(rough_basin(&s, g));
    const enum err e = misses_volume(&rash, &s, g->steps, seen);
    scene_free(&s);
    return e;
}

/* The bed is level at the open edges: with the water outside that of the edge's own cell, one that
 * falls inwards would draw more and more water in. */
static enum err miscounts_edges(const struct config *c, const struct rung *g, struct seen *seen)
{
    struct scene s;
    TRY(rough_basin(&s, g));
    s.boundary[WEST] = s.boundary[NORTH] = OPEN;
    for (int j = 0; j <= s.ny; j++)
        for (int i = 0; i <= s.nx; i++) {
            double *b = &s.bed[scene_corner(&s, i, j)];
            *b = i < 4 || j > s.ny - 4 ? -1 : fmin(*b, 0.4);
        }
    enum err e = misses_volume(c, &s, g->steps, seen);
    scene_free(&s);
    if (e || seen->broken)
        return e;
    TRY(scene_rough(&s, g->nx, g->ny));
    scene_mixed_edges(&s);
    e = misses_volume(c, &s, g->steps, seen);
    scene_free(&s);
    return e;
}

static enum err knows_its_place(const struct config *c, const struct rung *g, struct seen *seen)
{
    const struct aspect a = {.di = g->nx / 3 + 1, .dj = g->ny > 1 ? g->ny / 2 + 1 : 0};
    struct scene s;
    TRY(scene_rough(&s, g->nx, g->ny));
    scene_edges(&s, PERIODIC, PERIODIC);
    const enum err e = runs_otherwise(c, &s, g->steps, &a, seen);
    scene_free(&s);
    return e;
}

/* Water needs time to get there. */
static const struct rung long_rungs[] = {
    {3, 1, 2}, {5, 4, 8}, {12, 9, 24}, {33, 26, 80}, {0, 0, 0}};
static const struct rung clipping_rungs[] = {{5, 1, 4}, {12, 9, 6}, {41, 33, 12}, {0, 0, 0}};

const struct run_question scheme_flow_questions[] = {
    {"finite", small_rungs, breaks_down,
     "gives a value that is not finite, or a negative depth: probably it reads a field that was "
     "never filled (they begin as NaN), or divides by a depth that may be 0",
     "a dam break over rough, partly dry ground stays finite and no depth is negative", 0},
    {"lake at rest", few_rungs, moves_a_lake,
     "does not keep a lake at rest: something is computed from depths, or twice, instead of from "
     "differences of the level, so that it does not cancel the bed's source",
     "a lake at rest whose cells are all wet stays as it is, to the bit", 0},
    {"dry land", long_rungs, wets_dry_land,
     "changes dry land that no water reaches: without water every rate must be 0",
     "dry land stays dry, to the bit", 0},
    {"volume", long_rungs, loses_water,
     "loses or creates water between walls: what one cell loses the next must gain, to the bit, "
     "and the weights of an average must add up to 1",
     "a closed basin keeps its water to rounding", 0},
    {"clipping", clipping_rungs, miscounts_clipping,
     "miscounts drying and clipping: .clip_share must be the share of a change to this substep's "
     "result that remains in the full step",
     "clipped water is counted", 0},
    {"edges", long_rungs, miscounts_edges,
     "miscounts the flow through the edges, so that mass_error= is wrong: the share of "
     "settle_balance "
     "must be the weight of these fluxes in the full step, and .later must be set for the fluxes "
     "that are added to earlier ones",
     "the flow through open edges is counted", 0},
    {"mirrored in x", few_rungs, changes_mirrored_x,
     "gives another flow for a problem mirrored in x: it treats west and east differently, perhaps "
     "only in the order of a sum",
     "a problem mirrored in x runs as its original, to the bit", 0},
    {"mirrored in y", few_rungs, changes_mirrored_y,
     "gives another flow for a problem mirrored in y: it treats south and north differently, "
     "perhaps only in the order of a sum",
     "a problem mirrored in y runs as its original, to the bit", 0},
    {"transposed", few_rungs, changes_transposed,
     "gives another flow where x and y are exchanged: it treats them differently, perhaps only in "
     "the order of a sum; a scheme that sweeps x before y must set .split",
     "a problem with x and y exchanged runs as its original, to the bit", 0},
    {"shifted", few_rungs, knows_its_place,
     "gives another flow if a periodic problem is shifted: a cell's index or a block's edge "
     "affects the result",
     "a periodic domain has no special position", 0},
    {0},
};
