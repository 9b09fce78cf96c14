/* A problem with x and y exchanged. */
#include <stdlib.h>

#include "core/sim/sim_parts.h"

const enum edge edge_in_view[VIEWS][EDGES] = {
    [PLAIN] = {WEST, EAST, SOUTH, NORTH},
    [TURNED] = {SOUTH, NORTH, WEST, EAST},
};

/* The sim's original setup. */
static const struct source *source_of(const void *sim)
{
    return &((const struct sim *)sim)->source;
}

static double turned_bed(const void *context, int i, int j)
{
    const struct source *original = source_of(context);
    return original->bed(original->context, j, i);
}

static struct flow turned_water(const void *context, int i, int j)
{
    const struct source *original = source_of(context);
    struct flow f = original->water(original->context, j, i);
    return (struct flow){f.w, f.v, f.u};
}

static struct forcing turned_force(const void *context, int i, int j)
{
    const struct source *original = source_of(context);
    const struct system *system = ((const struct sim *)context)->system;
    const struct forcing f = original->force(original->context, j, i);
    struct forcing turned = f;
    for (int k = 0; k < system->unknowns; k++)
        turned.of[k] = f.of[system->unknown[k].exchanged];
    return turned;
}

static double turned_manning(const void *context, int i, int j)
{
    const struct source *original = source_of(context);
    return original->manning(original->context, j, i);
}

static double turned_tracer(const void *context, int i, int j)
{
    const struct source *original = source_of(context);
    return original->tracer(original->context, j, i);
}

static int turned_wall(const void *context, int i, int j)
{
    const struct source *original = source_of(context);
    return original->wall(original->context, j, i);
}

static int turned_is_dry(const void *context, const struct window *w)
{
    const struct source *original = source_of(context);
    return original->is_dry(original->context, &(struct window){w->j0, w->i0, w->ny, w->nx});
}

static struct edge_state turned_state(const struct system *system, const struct edge_state *q)
{
    struct edge_state turned = *q;
    for (int k = 0; k < system->unknowns; k++)
        turned.of[k] = q->of[system->unknown[k].exchanged];
    return turned;
}

/* Sweeping y before x equals sweeping x before y over the problem with x and y exchanged. */
enum err sim_turn(struct sim *s, struct setup *t)
{
    const struct setup original = *t;
    const struct grid_info *g = &original.grid;
    const size_t segments = (size_t)original.segment_count;
    const struct system *system = t->system ? t->system : find_system("shallow_water");
    s->turned = 1;
    t->exchanged = 1;
    s->source = original.source;
    t->grid = (struct grid_info){g->ny, g->nx, g->y0, g->x0, g->dy, g->dx};
    for (int e = 0; e < EDGES; e++) {
        t->boundary[e] = original.boundary[edge_in_view[TURNED][e]];
        t->edge[e] = turned_state(system, &original.edge[edge_in_view[TURNED][e]]);
    }
    s->segments = calloc(segments + 1, sizeof *s->segments);
    if (!s->segments)
        FAIL(MEMORY, "no memory for the segments of edges");
    for (size_t k = 0; k < segments; k++) {
        s->segments[k] = original.segments[k];
        s->segments[k].edge = edge_in_view[TURNED][original.segments[k].edge];
        s->segments[k].given = turned_state(system, &original.segments[k].given);
    }
    t->segments = s->segments;
    t->source = (struct source){.context = s,
                                .bed = turned_bed,
                                .water = turned_water,
                                .discharges = original.source.discharges,
                                .force = original.source.force ? turned_force : NULL,
                                .manning = original.source.manning ? turned_manning : NULL,
                                .tracer = original.source.tracer ? turned_tracer : NULL,
                                .wall = original.source.wall ? turned_wall : NULL,
                                .flat = original.source.flat,
                                .is_dry = original.source.is_dry ? turned_is_dry : NULL};
    return ERR_OK;
}
