/* Tests that need whole runs with a plug-in and the default scheme. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/registry/registry.h"
#include "verification/run/invariant.h"
#include "verification/contracts/runs.h"

static const struct run_question stands = {
    "runs",
    small_rungs,
    breaks_down,
    "breaks a dam break over rough ground: a value is not finite, or a depth is negative; look at "
    "its results beside dry ground",
    "a dam break over rough, partly dry ground stays finite and no depth is negative",
    0};

static const struct run_question volume = {"volume",
                                           few_rungs,
                                           changes_volume,
                                           "loses or creates water between walls: a wall is a "
                                           "mirror, and its result there is not antisymmetric",
                                           "a closed basin keeps its water to rounding",
                                           0};

static const struct run_question mirror = {"mirrored run",
                                           few_rungs,
                                           changes_mirrored_x,
                                           "gives another flow for a mirrored problem: its code "
                                           "favours one side, perhaps only in the order of a sum",
                                           "a mirrored problem runs as its original, to the bit",
                                           0};

static const struct run_question lake = {
    "lake at rest",
    few_rungs,
    stirs_a_lake,
    "stirs a lake at rest: at equal levels its flux must be g h^2/2 and nothing else, for the "
    "bed's source is just that",
    "a lake at rest whose cells are all wet stays at rest to rounding",
    0};

/* A round island in a lake, both off the grid's middle. */
static enum err stirs_around_island(const struct config *c, const struct rung *g, struct seen *seen)
{
    struct scene s;
    struct outcome o;
    int ok;
    TRY(scene_create(&s, g->nx, g->ny));
    s.kappa = 0.02;
    for (int j = 0; j <= g->ny; j++)
        for (int i = 0; i <= g->nx; i++) {
            const double x = (i - 0.46 * g->nx) / (0.2 * g->nx),
                         y = (j - 0.53 * g->ny) / (0.2 * g->nx);
            s.bed[scene_corner(&s, i, j)] = -2 + 2.8 * exp(-(x * x + y * y));
        }
    TRY(run_and_free(c, &s, g->steps, &o, seen, &ok));
    if (!ok)
        return ERR_OK;
    double most = 0;
    for (int k = 1; k < 3; k++)
        for (int j = 0; j < g->ny; j++)
            for (int i = 0; i < g->nx; i++)
                most = fmax(most, fabs(o.state.field[k][scene_cell(&o.state, i, j)]));
    if (!(most <= (c->precision == F64 ? 1e-12 : 1e-4)))
        saw(seen, "a flow of %.2g m2/s along the shore of an island in a lake at rest", most);
    outcome_free(&o);
    return ERR_OK;
}

static const struct run_question island = {
    "islands at rest",
    few_rungs,
    stirs_around_island,
    "declares WELL_BALANCED, or BED_STEP, and stirs a lake around an island: where a face is dry "
    "on one side the "
    "depths that both sides see of each other must be equal at rest",
    "a lake with a dry island stays at rest to rounding",
    0};

/* The first of a list that handles steps of the bed, or null. */
static const char *for_steps(const struct plugin *const *list)
{
    for (; *list; list++)
        if ((*list)->properties & BED_STEP)
            return (*list)->name;
    return NULL;
}

/* The default scheme with the plug-in; if `steps`, the bed has steps, which the flux handles. */
static void configure(struct config of[PRECISIONS], const struct plugin *plugin,
                      enum plugin_kind kind, int steps)
{
    const char *flux = for_steps(fluxes), *reconstruction = for_steps(reconstructions);
    for (int p = 0; p < PRECISIONS; p++) {
        const struct variant v = {.precision = (enum precision)p, .backend = CPU, .mode = STRICT};
        variant_configure(&of[p], &v);
        if (steps && flux && reconstruction) {
            snprintf(of[p].flux, NAME_LENGTH, "%s", flux);
            snprintf(of[p].reconstruction, NAME_LENGTH, "%s", reconstruction);
        }
        char *names[] = {of[p].limiter, of[p].flux, of[p].reconstruction};
        snprintf(names[kind], NAME_LENGTH, "%s", plugin->name);
    }
}

/* A fact, not an error, if the property is not declared. */
static enum err note_island(const struct config of[PRECISIONS], const struct plugin *plugin,
                            int steps, struct remarks *r)
{
    const struct rung g = {33, 26, 20};
    struct seen seen = {0};
    if (steps || plugin->properties & WELL_BALANCED)
        return ask_runs(plugin->name, of, &island, r);
    TRY(stirs_around_island(&of[F64], &g, &seen));
    if (seen.broken)
        remark(r, NOT_ASKED, island.check, "", "does not declare WELL_BALANCED, and has %s",
               seen.example);
    else
        remark(r, NOTED, island.check, "", "%s, though it does not declare WELL_BALANCED",
               island.holds);
    return ERR_OK;
}

static enum err note_walls(const struct config *c, const struct plugin *plugin, struct remarks *r)
{
    const struct rung g = {33, 26, 20};
    struct seen seen = {0};
    TRY(changes_volume(c, &g, &seen));
    if (seen.broken)
        remark(r, NOTED, volume.check, "",
               "%s does not declare SYMMETRIC, so walls, which are mirrors, let water through: %s",
               plugin->name, seen.example);
    else
        remark(r, HOLDS, volume.check, "", "%s", volume.holds);
    return ERR_OK;
}

static enum err ask(const struct plugin *plugin, enum plugin_kind kind, struct remarks *r)
{
    struct config of[PRECISIONS];
    const int steps = (plugin->properties & BED_STEP) != 0;
    configure(of, plugin, kind, steps && kind == RECONSTRUCTION_PLUGIN);
    TRY(ask_runs(plugin->name, of, &stands, r));
    if (remark_fails(r, stands.check))
        return ERR_OK;
    if (plugin->properties & SYMMETRIC) {
        TRY(ask_runs(plugin->name, of, &volume, r));
        TRY(ask_runs(plugin->name, of, &mirror, r));
    } else {
        TRY(note_walls(&of[F64], plugin, r));
    }
    TRY(ask_runs(plugin->name, of, &lake, r));
    if (kind == LIMITER_PLUGIN)
        return ERR_OK;
    configure(of, plugin, kind, steps);
    return note_island(of, plugin, steps, r);
}

enum err runs_of_plugin(const struct plugin *plugin, enum plugin_kind kind, int failed,
                        struct remarks *r)
{
    char what[128];
    if (failed) {
        remark(r, NOT_ASKED, "runs", "",
               "whole runs are skipped until the failures above are corrected");
        return ERR_OK;
    }
    const enum err e = ask(plugin, kind, r);
    if (e != ERR_KERNEL)
        return e;
    snprintf(what, sizeof what, "a kernel with %s %s", plugin_kinds[kind], plugin->name);
    remark_compile(r, what);
    return ERR_OK;
}
