/* Snapshots of a simulation, with the provenance that lets another person repeat it. */
#include "core/result.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/initial.h"
#include "core/recipe.h"
#include "core/version.h"

enum { EDGE_TEXT = 128 };

struct result {
    struct ncwriter *writer;
    void *field[3]; /* ny rows of nx reals */
    void *bed;      /* ny + 1 rows of nx + 1 */
    int nx;
};

/* As --bc-west and its like take it; a given state, which they do not, by its three numbers. */
static const char *describe_edge(const struct setup *setup, enum edge e, char text[EDGE_TEXT])
{
    const struct edge_state *q = &setup->edge[e];
    const double across = e == WEST || e == EAST ? q->hu : q->hv;
    switch (setup->boundary[e]) {
    case WALL:
        return "wall";
    case OPEN:
        return "open";
    case PERIODIC:
        return "periodic";
    case DISCHARGE:
        snprintf(text, EDGE_TEXT, "discharge:%.17g", e == WEST || e == SOUTH ? across : -across);
        break;
    case DEPTH:
        snprintf(text, EDGE_TEXT, "depth:%.17g", q->h);
        break;
    case STATE:
        snprintf(text, EDGE_TEXT, "state: h=%.17g hu=%.17g hv=%.17g", q->h, q->hu, q->hv);
        break;
    }
    return text;
}

static enum err describe(struct result *r, struct sim *s, const struct problem *p,
                         const char *command_line)
{
    const struct config *c = s->config;
    const struct device_info *d = s->backend->info(s->device);
    char source[64], kernels[2048] = "", blocks[4096], edge[EDGES][EDGE_TEXT];
    size_t used = 0;
    snprintf(source, sizeof source, "Shoal %s (commit %s)", shoal_version, shoal_commit);
    for (int k = 0; s->scheme->kernels[k] && used < sizeof kernels; k++) {
        const struct recipe *recipe = &s->kernels[k].recipe;
        used += (size_t)snprintf(kernels + used, sizeof kernels - used, "%s%s %dx%d", k ? ", " : "",
                                 recipe->kernel->name, recipe->block.w, recipe->block.h);
    }
    sim_describe_blocks(s, blocks, sizeof blocks);
    const struct attribute list[] = {
        {"source", ATTRIBUTE_TEXT, .text = source},
        {"history", ATTRIBUTE_TEXT, .text = command_line},
        {"command_line", ATTRIBUTE_TEXT, .text = command_line},
        {"shoal_version", ATTRIBUTE_TEXT, .text = shoal_version},
        {"commit", ATTRIBUTE_TEXT, .text = shoal_commit},
        {"case", ATTRIBUTE_TEXT, .text = p->name},
        {"scheme", ATTRIBUTE_TEXT, .text = s->scheme->name},
        {"limiter", ATTRIBUTE_TEXT, .text = c->limiter},
        {"flux", ATTRIBUTE_TEXT, .text = c->flux},
        {"reconstruction", ATTRIBUTE_TEXT, .text = c->reconstruction},
        {"precision", ATTRIBUTE_TEXT, .text = precision_names[c->precision]},
        {"mode", ATTRIBUTE_TEXT, .text = mode_names[c->mode]},
        {"backend", ATTRIBUTE_TEXT, .text = s->backend->name},
        {"device", ATTRIBUTE_TEXT, .text = d->name},
        {"device_target", ATTRIBUTE_TEXT, .text = d->target},
        {"kernel_compiler", ATTRIBUTE_TEXT, .text = d->compiler},
        {"driver", ATTRIBUTE_TEXT, .text = d->driver},
        {"kernels", ATTRIBUTE_TEXT, .text = kernels},
        {"blocks", ATTRIBUTE_TEXT, .text = blocks},
        {"dt_factor", ATTRIBUTE_DOUBLE, .number = c->dt_factor},
        {"sweep", ATTRIBUTE_TEXT, .text = c->sweep == SWEEP_YX ? "yx" : "xy"},
        {"theta", ATTRIBUTE_DOUBLE, .number = s->physics.theta},
        {"courant_number", ATTRIBUTE_DOUBLE, .number = c->cfl},
        {"gravity", ATTRIBUTE_DOUBLE, .number = s->physics.g},
        {"manning", ATTRIBUTE_DOUBLE, .number = p->setup.manning},
        {"drag", ATTRIBUTE_DOUBLE, .number = p->setup.drag},
        {"bc_west", ATTRIBUTE_TEXT, .text = describe_edge(&p->setup, WEST, edge[WEST])},
        {"bc_east", ATTRIBUTE_TEXT, .text = describe_edge(&p->setup, EAST, edge[EAST])},
        {"bc_south", ATTRIBUTE_TEXT, .text = describe_edge(&p->setup, SOUTH, edge[SOUTH])},
        {"bc_north", ATTRIBUTE_TEXT, .text = describe_edge(&p->setup, NORTH, edge[NORTH])},
        {"kappa", ATTRIBUTE_DOUBLE, .number = s->initial->kappa},
        {"kappa_rule", ATTRIBUTE_TEXT, .text = s->initial->kappa_rule},
        {"dry_depth", ATTRIBUTE_DOUBLE, .number = s->physics.dry},
    };
    return ncwrite_attributes(r->writer, list, sizeof list / sizeof *list);
}

static void destroy(struct result *r)
{
    for (int k = 0; k < 3; k++)
        free(r->field[k]);
    free(r->bed);
    free(r);
}

void result_discard(struct result **r)
{
    if (!*r)
        return;
    ncwrite_discard(&(*r)->writer);
    destroy(*r);
    *r = NULL;
}

enum err result_open(struct result **out, struct sim *s, const struct problem *p,
                     const char *command_line)
{
    enum err e = ERR_OK;
    const struct config *c = s->config;
    const struct grid_info *g = &p->setup.grid;
    const size_t cells = (size_t)g->nx * (size_t)g->ny;
    const size_t corners = ((size_t)g->nx + 1) * ((size_t)g->ny + 1);
    struct ncwrite_info info = {.path = c->output,
                                .grid = *g,
                                .precision = (enum precision)c->precision,
                                .bed_pitch = g->nx + 1};
    if (!c->output[0])
        return ERR_OK;
    TRY(ncwrite_variables(c->variables, &info.variables));
    struct result *r = calloc(1, sizeof *r);
    if (!r)
        FAIL(MEMORY, "no memory for the output");
    r->nx = g->nx;
    for (int k = 0; k < 3; k++)
        r->field[k] = malloc(cells * s->real_size);
    info.bed = r->bed = malloc(corners * s->real_size);
    if (!r->field[0] || !r->field[1] || !r->field[2] || !r->bed) {
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for the output");
        goto out;
    }
    sim_bed(s, r->bed);
    TRY_OUT(ncwrite_create(&r->writer, &info));
    TRY_OUT(describe(r, s, p, command_line));
    *out = r;
    return ERR_OK;
out:
    result_discard(&r);
    return e;
}

enum err result_record(struct result *r, struct sim *s)
{
    if (!r)
        return ERR_OK;
    for (int k = 0; k < 3; k++)
        TRY(sim_download(s, k, r->field[k]));
    struct ncwrite_record record = {
        .t = s->now.t, .w = r->field[0], .hu = r->field[1], .hv = r->field[2], .pitch = r->nx};
    return ncwrite_record(r->writer, &record);
}

enum err result_finish(struct result **r, struct sim *s, const struct balance *b)
{
    if (!*r)
        return ERR_OK;
    const struct attribute list[] = {
        {"steps", ATTRIBUTE_INT, .integer = (long)s->now.steps},
        {"redone_steps", ATTRIBUTE_INT, .integer = (long)s->now.redone},
        {"early_exit_steps", ATTRIBUTE_INT, .integer = (long)s->now.early_exits},
        {"graphs", ATTRIBUTE_TEXT, .text = s->graph ? "on" : "off"},
        {"dt_min", ATTRIBUTE_DOUBLE, .number = s->now.dt_min},
        {"dt_max", ATTRIBUTE_DOUBLE, .number = s->now.dt_max},
        {"volume_initial", ATTRIBUTE_DOUBLE, .number = s->volume0},
        {"volume_final", ATTRIBUTE_DOUBLE, .number = b->volume},
        {"volume_inflow", ATTRIBUTE_DOUBLE, .number = b->inflow},
        {"volume_clipped_in", ATTRIBUTE_DOUBLE, .number = b->clipped_in},
        {"volume_dried_out", ATTRIBUTE_DOUBLE, .number = b->dried_out},
    };
    enum err e = ncwrite_attributes((*r)->writer, list, sizeof list / sizeof *list);
    if (!e)
        e = ncwrite_finish(&(*r)->writer);
    result_discard(r);
    return e;
}
