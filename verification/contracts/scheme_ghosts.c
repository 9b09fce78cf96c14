/* What a scheme reads: no ghost cell beyond its claim, and nothing unwritten. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/reals.h"
#include "core/problem/initial_state.h"
#include "core/registry/registry.h"
#include "verification/contracts/scheme_runs.h"

/* Whether place (i, j) of a field, counted from cell (0,0), lies more than `ghost` beyond its cells. */
static int is_beyond(const struct sim *s, int i, int j, int ghost, int corners)
{
    return i < -ghost || j < -ghost || i >= s->grid.nx + corners + ghost ||
           j >= s->grid.ny + corners + ghost;
}

/* The same beyond two edges at once. */
static int is_in_corner(const struct sim *s, int i, int j)
{
    return (i < 0 || i >= s->grid.nx) && (j < 0 || j >= s->grid.ny);
}

/* The value of unwritten cells, beyond how many ghost cells it goes, and whether into the corners. */
struct soil {
    struct sim *sim;
    double beyond, unfilled;
    int ghost, star;
};

/* Overwrites ghost cells more than d->ghost beyond the domain, and those of a star's corners; on the inside cells more than `kept`
 * beyond it, and all if that is negative. */
static enum err soil_field(const struct soil *d, const struct array *a, int kept)
{
    struct sim *s = d->sim;
    const int corners = a->layout == ARRAY_CORNERS;
    const size_t n = s->field_bytes / s->real_size;
    char *field = malloc(s->field_bytes);
    if (!field)
        FAIL(MEMORY, "no memory for a field");
    enum err e = s->backend->download(s->device, field, a->memory, s->field_bytes);
    for (size_t k = 0; k < n && !e; k++) {
        const int i = (int)(k % (size_t)s->pitch[PLAIN]) - MARGIN;
        const int j = (int)(k / (size_t)s->pitch[PLAIN]) - GHOSTS;
        if (is_beyond(s, i, j, d->ghost, corners) || (d->star && is_in_corner(s, i, j)))
            reals_put(field, s->real_size, k, d->beyond + 7.0 * (double)(k % 11));
        else if (kept < 0 || is_beyond(s, i, j, kept, corners))
            reals_put(field, s->real_size, k, d->unfilled + 5.0 * (double)(k % 7));
    }
    if (!e)
        e = s->backend->upload(s->device, a->memory, field, s->field_bytes);
    free(field);
    return e;
}

static int is_start(const struct sim *s, const struct array *a)
{
    int found = 0;
    for (int k = 0; k < s->system->unknowns; k++)
        found |= a == s->state[0][k];
    return found;
}

/* At the start. The bed comes with its ghost cells; without them the solution, and what passes leave for the next: that
 * begins as zeros. */
static enum err soil_all(const struct soil *d)
{
    struct soil bed = *d;
    bed.ghost = GHOSTS;
    bed.star = 0;
    for (int k = 0; k < d->sim->array_count; k++) {
        const struct array *a = &d->sim->array[k];
        if (a->layout != ARRAY_FLAT)
            TRY(a->given ? soil_field(&bed, a, GHOSTS)
                         : soil_field(d, a, is_start(d->sim, a) || a->kept ? 0 : -1));
    }
    return ERR_OK;
}

/* Two layers are filled whatever a scheme claims: before every other launch those beyond the claim
 * are overwritten again. */
static enum err soil_again(void *context, struct sim_kernel *k, const void *args, size_t bytes)
{
    const struct soil *d = context;
    const struct sim_kernel *next = k;
    (void)args;
    (void)bytes;
    if (next == &d->sim->auxiliary[GHOSTS_KERNEL])
        return ERR_OK;
    for (int n = 0; n <= d->sim->scheme->stages; n++)
        for (int u = 0; u < d->sim->system->unknowns; u++)
            TRY(soil_field(d, d->sim->state[n][u], GHOSTS));
    return ERR_OK;
}

static enum err run_soiled(const struct config *c, const struct scene *s, struct soil d,
                           struct outcome *o)
{
    TRY(simulation_create(&d.sim, c, s));
    enum err e = soil_all(&d);
    if (!e && (d.ghost < GHOSTS || d.star) && !d.sim->scheme->split)
        d.sim->hook = (struct launch_hook){soil_again, &d};
    if (!e)
        e = sim_run(d.sim, (double)INFINITY, NULL);
    if (!e || e == ERR_BROKEN)
        e = simulation_outcome(d.sim, s, o);
    sim_destroy(d.sim);
    return e;
}

/* Runs with two overwriting values must agree to the bit, whether or not they succeed. */
static enum err compare_soils(const struct config *c, const struct scene *s, const struct soil d[2],
                              const char *edges, struct seen *seen)
{
    enum err e = ERR_OK;
    struct outcome o[2] = {0};
    for (int k = 0; k < 2; k++)
        TRY_OUT(run_soiled(c, s, d[k], &o[k]));
    for (int f = 0; f < s->system->unknowns; f++)
        for (int k = 0; k < s->nx * s->ny && !seen->broken; k++) {
            const double *a = &o[0].state.field[f][k], *b = &o[1].state.field[f][k];
            if (memcmp(a, b, sizeof *a) != 0)
                saw(seen,
                    "with %s, other numbers there change %s of cell (%d, %d) from %.6g to %.6g",
                    edges, unknown_name(s->system, f), k % s->nx, k / s->nx, *a, *b);
        }
out:
    outcome_free(&o[0]);
    outcome_free(&o[1]);
    return e;
}

static const char UNFILLED[] = "reads ghost cells or a state that was never filled (they begin as "
                               "NaN): fill_ghosts of a state, in the same view, must come "
                               "before its rate_of_change";

static enum err reads_with_edges(const struct config *c, const struct rung *g, int edge,
                                 struct seen *seen)
{
    static const char *const names[] = {"walls", "open edges", "periodic edges"};
    struct scene s;
    struct config few = *c;
    const int ghost = find_scheme(c->scheme)->ghost, star = find_scheme(c->scheme)->star;
    const struct soil far[2] = {{.beyond = 1000, .ghost = ghost, .star = star},
                                {.beyond = 2000, .ghost = ghost, .star = star}};
    const struct soil any[2] = {{.beyond = 1000, .unfilled = 1000, .ghost = ghost, .star = star},
                                {.beyond = 2000, .unfilled = 2000, .ghost = ghost, .star = star}};
    struct seen too_far = {0};
    few.steps = g->steps;
    TRY(scene_create(&s, g->nx, g->ny));
    scene_edges(&s, (enum boundary)edge, (enum boundary)edge);
    scene_random_bed(&s, -1, 0.2, 4);
    scene_level(&s, 0.3);
    scene_stir(&s, 0.1, 2);
    enum err e = compare_soils(&few, &s, any, names[edge], seen);
    if (!e && seen->broken) {
        e = compare_soils(&few, &s, far, names[edge], &too_far);
        seen->why = UNFILLED;
        if (too_far.broken)
            *seen = too_far;
    }
    scene_free(&s);
    return e;
}

static enum err reads_too_far(const struct config *c, const struct rung *g, struct seen *seen)
{
    for (int edge = WALL; edge <= PERIODIC && !seen->broken; edge++)
        TRY(reads_with_edges(c, g, edge, seen));
    return ERR_OK;
}

static const struct rung ghost_rungs[] = {{1, 1, 2},  {3, 1, 2},    {1, 7, 15},
                                          {3, 5, 15}, {257, 9, 15}, {0, 0, 0}};

const struct run_question scheme_ghost_questions[] = {
    {"ghost cells", ghost_rungs, reads_too_far,
     "reads more ghost cells than it claims: .ghost must be how far its kernels read beyond a "
     "cell, no more than 2 are ever filled, and a scheme with .star reads none beyond two edges",
     "reads only the ghost cells that it claims, after they are filled", 0},
    {0},
};
