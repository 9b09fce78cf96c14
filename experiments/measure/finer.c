/* The reference of a case without a solution: a run with finer cells. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/log.h"
#include "core/registry/registry.h"
#include "experiments/measure/measure_parts.h"

/* Its errors are those of rk2. */
#define REFERENCE_SCHEME "rk2_fused"

/* Of the experiment's sizes for the point's case. */
static enum err largest(const struct measure *m, const struct point *p, int *nx)
{
    struct point *all;
    int count;
    TRY(measure_plan(m->experiment, &m->setup, &all, &count));
    *nx = p->nx;
    for (int k = 0; k < count; k++)
        if (all[k].flow_case == p->flow_case && all[k].nx > *nx)
            *nx = all[k].nx;
    free(all);
    return ERR_OK;
}

/* It takes longer than a point. */
static void tell(const struct measure *m, const struct point *r)
{
    const int quiet = log_is_quiet();
    log_quiet(m->quiet);
    log_info("%s: computes the reference, by %s in %s, %s, with %d x %d cells", r->flow_case->name,
             r->scheme->name, precision_names[r->precision], mode_names[r->mode], r->nx, r->ny);
    log_quiet(quiet);
}

static enum err depth_of(struct sim *s, double **depth)
{
    const size_t cells = (size_t)s->grid.nx * (size_t)s->grid.ny;
    TRY(sim_run(s, (double)INFINITY, NULL));
    *depth = malloc(cells * sizeof **depth);
    if (!*depth)
        FAIL(MEMORY, "no memory for a reference of %zu cells", cells);
    return measure_fetch(s, MEASURE_DEPTH, *depth);
}

enum err measure_finer_run(const struct measure *m, const struct point *p, const struct opened *o,
                           int finer, struct grid_info *grid, double **depth)
{
    struct point r = *p;
    struct opened run = {.ny = 0};
    int nx;
    *depth = NULL;
    TRY(largest(m, p, &nx));
    r.scheme = find_scheme(REFERENCE_SCHEME);
    r.automatic = 0;
    r.precision = F64;
    r.mode = STRICT;
    r.nx = finer * nx;
    r.ny = (int)((double)r.nx * o->ny / p->nx + 0.5);
    r.cfl = r.dt_factor = (double)NAN;
    r.early_exit = EARLY_EXIT_OFF;
    r.graphs = GRAPHS_AUTO;
    snprintf(r.blocks, sizeof r.blocks, "tuned");
    snprintf(r.define, sizeof r.define, "-");
    snprintf(r.options, sizeof r.options, "-");
    tell(m, &r);
    enum err e = measure_open(m, &r, &run);
    if (!e)
        e = depth_of(run.sim, depth);
    if (!e)
        *grid = run.sim->grid;
    if (e) {
        free(*depth);
        *depth = NULL;
    }
    measure_close(&run);
    return e;
}

/* Negative depths, which rounding leaves, are none. */
static double mean_of(const double *corner, int pitch, int wide, int high)
{
    double sum = 0;
    for (int j = 0; j < high; j++)
        for (int i = 0; i < wide; i++)
            sum += corner[(size_t)j * (size_t)pitch + (size_t)i] > 0
                       ? corner[(size_t)j * (size_t)pitch + (size_t)i]
                       : 0;
    return sum / ((double)wide * high);
}

enum err measure_finer_means(const char *name, const struct grid_info *grid, const double *depth,
                             const struct grid_info *coarse, double *means)
{
    const int wide = grid->nx / coarse->nx, high = grid->ny / coarse->ny;
    if (wide * coarse->nx != grid->nx || high * coarse->ny != grid->ny)
        FAIL(
            INPUT,
            "%s: the cells of a grid of %d x %d do not consist of whole ones of the reference's %d "
            "x %d: choose sizes that divide the largest one",
            name, coarse->nx, coarse->ny, grid->nx, grid->ny);
    for (int j = 0; j < coarse->ny; j++)
        for (int i = 0; i < coarse->nx; i++)
            means[(size_t)j * (size_t)coarse->nx + (size_t)i] =
                mean_of(depth + (size_t)(j * high) * (size_t)grid->nx + (size_t)(i * wide),
                        grid->nx, wide, high);
    return ERR_OK;
}
