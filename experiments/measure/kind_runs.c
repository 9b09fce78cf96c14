/* Whole runs: number of steps, time, and error. */
#include <math.h>
#include <stdlib.h>

#include "core/problem/problem.h"
#include "core/sim/alternation.h"
#include "experiments/measure/measure_parts.h"
#include "verification/run/means.h"
#include "verification/run/verify.h"

enum { WARM_UP = 4 }; /* steps */

/* Reference cell means of the depth for runs of a case and size. They are kept for later
 * repetitions. */
struct solution {
    const struct flow_case *flow_case;
    struct grid_info grid;
    double *depth; /* m */
    struct solution *next;
};

static enum err solve(struct solution *s, double t)
{
    const size_t cells = (size_t)s->grid.nx * (size_t)s->grid.ny;
    double *discharges = malloc(2 * cells * sizeof *discharges);
    enum err e = ERR_OK;
    s->depth = malloc(cells * sizeof *s->depth);
    if (!s->depth || !discharges) {
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for the solution of %s in %zu cells",
                    s->flow_case->name, cells);
        goto out;
    }
    TRY_OUT(measure_reference(s->flow_case));
    reference_means(s->flow_case, &s->grid, t, s->depth, discharges, discharges + cells);
out:
    free(discharges);
    return e;
}

static enum err find_solution(struct measure *m, const struct opened *o, const double **depth)
{
    const struct flow_case *f = o->problem->flow_case;
    const struct grid_info g = o->sim->grid;
    struct solution *s = m->state;
    while (s && (s->flow_case != f || s->grid.nx != g.nx || s->grid.ny != g.ny))
        s = s->next;
    if (!s) {
        s = calloc(1, sizeof *s);
        if (!s)
            FAIL(MEMORY, "no memory for the solution of %s", f->name);
        *s = (struct solution){.flow_case = f, .grid = g, .next = m->state};
        const enum err e = solve(s, o->t_end);
        if (e) {
            free(s->depth);
            free(s);
            return e;
        }
        m->state = s;
    }
    *depth = s->depth;
    return ERR_OK;
}

static void end(struct measure *m)
{
    for (struct solution *s = m->state, *next; s; s = next) {
        next = s->next;
        free(s->depth);
        free(s);
    }
    m->state = NULL;
}

static enum err compare(const struct opened *o, const double *depth, double *l1)
{
    struct sim *s = o->sim;
    const size_t cells = (size_t)s->grid.nx * (size_t)s->grid.ny;
    double *h = malloc(cells * sizeof *h);
    enum err e = ERR_OK;
    if (!h)
        FAIL(MEMORY, "no memory to compare %zu cells", cells);
    TRY_OUT(measure_fetch(s, MEASURE_DEPTH, h));
    for (size_t k = 0; k < cells; k++)
        h[k] = h[k] < 0 ? 0 : h[k];
    const struct snapshot shot = {
        .flow_case = o->problem->flow_case, .grid = s->grid, .h = h, .rh = depth};
    *l1 = norm_l1_h.of(&shot);
    if (!isfinite(*l1))
        e = err_set(ERR_BROKEN, __FILE__, __LINE__, "the depth is not finite everywhere");
out:
    free(h);
    return e;
}

const struct option measure_runs_options[] = {
    {.name = "error", .type = &option_flag, .size = sizeof(int)},
    {.name = NULL},
};

int measure_compares(const struct experiment *x, enum backend_kind backend)
{
    int compared;
    return !measure_options(x, backend, measure_runs_options, &compared) && compared;
}

/* To the end; or a number of steps, after some that load code and data. */
static enum err step(const struct measure *m, const struct opened *o, struct counted_before *before)
{
    struct sim *s = o->sim;
    const long each = s->scheme->steps > 1 ? s->scheme->steps : 1;
    struct measure_common common;
    *before = (struct counted_before){0};
    TRY(measure_options(m->experiment, m->setup.backend, measure_common, &common));
    if (common.steps == 0)
        return sim_run(s, (double)INFINITY, NULL);
    TRY(sim_step_many(s, WARM_UP / each));
    *before = (struct counted_before){s->now.steps, s->now.redone, s->now.early_exits};
    s->wall = 0;
    return sim_step_many(s, (common.steps + each - 1) / each);
}

static enum err run(struct measure *m, const struct point *p, struct opened *o)
{
    const double *depth = NULL;
    double l1 = (double)NAN;
    struct counted_before before;
    struct cells c = {.used = 0};
    char taken[2 * NAME_LENGTH]; /* that --scheme auto took */
    TRY(step(m, o, &before));
    if (measure_compares(m->experiment, m->setup.backend)) {
        TRY(find_solution(m, o, &depth));
        TRY(compare(o, depth, &l1));
    }
    cells_run(&c, o->sim, &before);
    cells_number(&c, "%.6e", l1);
    alternation_name(o->sim, taken, sizeof taken);
    return measure_enter_with(m, p, o->ny, NULL, p->automatic ? taken : "-", &c);
}

const struct measure_kind kind_runs = {
    .name = "runs",
    .divides = 1,
    .title = "whole runs: steps, time, error",
    .options = measure_runs_options,
    .row_columns = "",
    .columns = MEASURE_RUN "\tl1",
    .how = "whole runs, points interleaved within each repetition; time of stepping; l1: sum of "
           "differences of depth over sum of depth, at the end",
    .run = run,
    .end = end,
};
