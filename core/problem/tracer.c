/* Source and valid range of a tracer's concentration. */
#include "core/problem/tracer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/plane.h"
#include "core/problem/equations.h"
#include "core/raster/raster.h"

static double case_tracer(const void *context, int i, int j)
{
    const struct problem *p = context;
    const struct grid_info *g = &p->setup.grid;
    return p->flow_case->tracer(grid_x(g, i), grid_y(g, j), 0);
}

static double one_tracer(const void *context, int i, int j)
{
    (void)i, (void)j;
    return ((const struct problem *)context)->config.tracer.number;
}

static double cell_tracer(const void *context, int i, int j)
{
    const struct problem *p = context;
    return p->tracer_of[(size_t)j * (size_t)p->setup.grid.nx + (size_t)i];
}

/* The file defines the unit of a concentration: only a negative one is impossible. */
static enum err check_tracer(const char *path, const struct grid_info *g, const double *c)
{
    for (size_t k = 0; k < (size_t)g->nx * (size_t)g->ny; k++) {
        plane_passes(k);
        if (c[k] < 0)
            FAIL(INPUT,
                 "%s: the concentration in cell (%zu, %zu) is %g: expected a number from 0 on; "
                 "correct it",
                 path, k % (size_t)g->nx, k / (size_t)g->nx, c[k]);
    }
    return ERR_OK;
}

static enum err read_tracer(void *of, void *to)
{
    struct problem *p = of;
    const char *path = p->config.tracer.file;
    double **tracer = to;
    struct raster r;
    TRY(raster_read_option("tracer", path, QUANTITY_TRACER, &r));
    enum err e = raster_check_system(path, &r, p->input.wkt, "the run");
    if (!e)
        e = raster_fit(path, &r, &p->setup.grid, "the run", QUANTITY_TRACER);
    if (!e) {
        plane_free(*tracer);
        *tracer = r.value;
        r.value = NULL;
    }
    raster_free(&r);
    return e ? e : check_tracer(path, &p->setup.grid, *tracer);
}

enum err tracer_choose(struct problem *p)
{
    const struct field_choice *t = &p->config.tracer;
    struct setup *s = &p->setup;
    if (!s->system->carried)
        return ERR_OK;
    if (!isnan(t->number)) {
        s->source.tracer = one_tracer;
        return ERR_OK;
    }
    if (*t->file) {
        s->source.tracer_file = t->file;
        const struct input_job job = {.layout = {.bytes = sizeof p->tracer_of, .planes = 1},
                                      .reads = read_tracer,
                                      .of = p,
                                      .to = &p->tracer_of};
        TRY(input_read(p->reader, &job));
    } else if (p->input.unknown[s->system->carried]) {
        p->tracer_of = p->input.unknown[s->system->carried];
        p->input.unknown[s->system->carried] = NULL;
        s->source.tracer_file = p->config.input;
        TRY(check_tracer(p->config.input, &s->grid, p->tracer_of));
    }
    if (p->tracer_of)
        s->source.tracer = cell_tracer;
    else if (p->flow_case && p->flow_case->tracer)
        s->source.tracer = case_tracer;
    return ERR_OK;
}

enum err tracer_extend(struct problem *p, const struct config *c)
{
    const struct system *wider = system_with_tracer(p->setup.system);
    const struct scheme *scheme = scheme_of(c, wider); /* null: auto takes one that can */
    int has = 0;
    if (!wider)
        return ERR_OK;
    const char *name = unknown_name(wider, wider->carried);
    TRY(nc_has(c->input, name, &has));
    if (!has)
        return ERR_OK;
    p->setup.system = wider;
    if (!scheme || scheme_solves(scheme, wider))
        return ERR_OK;
    char why[1024];
    check_scheme(scheme, wider);
    snprintf(why, sizeof why, "%s", err_message());
    FAIL(USAGE, "%s has a tracer, %s, which the run carries: %s, or another file", c->input, name,
         why);
}
