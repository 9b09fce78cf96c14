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
    int finer;     /* it is the run with finer cells, from which the others are made */
    double *depth; /* m */
    struct solution *next;
};

/* NULL: there is none yet. Of finer cells there is one for a case, whatever the size. */
static const struct solution *known(const struct measure *m, const struct solution *wanted)
{
    const struct solution *s = m->state;
    while (s && (s->flow_case != wanted->flow_case || s->finer != wanted->finer ||
                 (!s->finer && (s->grid.nx != wanted->grid.nx || s->grid.ny != wanted->grid.ny))))
        s = s->next;
    return s;
}

/* Takes over s->depth. */
static enum err keep(struct measure *m, const struct solution *s, const struct solution **kept)
{
    struct solution *new = malloc(sizeof *new);
    if (!new) {
        free(s->depth);
        FAIL(MEMORY, "no memory for the solution of %s", s->flow_case->name);
    }
    *new = *s;
    new->next = m->state;
    m->state = new;
    *kept = new;
    return ERR_OK;
}

static enum err sample(const struct flow_case *f, const struct grid_info *g, double t,
                       double *depth)
{
    const size_t cells = (size_t)g->nx * (size_t)g->ny;
    double *discharges = malloc(2 * cells * sizeof *discharges);
    if (!discharges)
        FAIL(MEMORY, "no memory for the solution of %s in %zu cells", f->name, cells);
    const enum err e = measure_reference(f);
    if (!e)
        reference_means(f, g, t, depth, discharges, discharges + cells);
    free(discharges);
    return e;
}

static enum err average(struct measure *m, const struct point *p, const struct opened *o,
                        double *depth)
{
    struct solution fine = {.flow_case = p->flow_case, .finer = 1};
    const struct solution *from = known(m, &fine);
    if (!from) {
        TRY(measure_finer_run(m, p, o, measure_compares(m->experiment, m->setup.backend).finer,
                              &fine.grid, &fine.depth));
        TRY(keep(m, &fine, &from));
    }
    return measure_finer_means(p->flow_case->name, &from->grid, from->depth, &o->sim->grid, depth);
}

static enum err find_solution(struct measure *m, const struct point *p, const struct opened *o,
                              const double **depth)
{
    const struct flow_case *f = p->flow_case;
    const struct grid_info g = o->sim->grid;
    struct solution s = {.flow_case = f, .grid = g};
    const struct solution *found = known(m, &s);
    if (!found) {
        s.depth = malloc((size_t)g.nx * (size_t)g.ny * sizeof *s.depth);
        if (!s.depth)
            FAIL(MEMORY, "no memory for the solution of %s", f->name);
        const enum err e =
            measure_solved(f) ? sample(f, &g, o->t_end, s.depth) : average(m, p, o, s.depth);
        if (e) {
            free(s.depth);
            return e;
        }
        TRY(keep(m, &s, &found));
    }
    *depth = found->depth;
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

enum { FINEST = 64 };

const struct option measure_runs_options[] = {
    {.name = "error", FLAG_IN(struct measure_compared, error)},
    {.name = "finer", COUNT_IN(struct measure_compared, finer, 2, FINEST)},
    {.name = NULL},
};

struct measure_compared measure_compares(const struct experiment *x, enum backend_kind backend)
{
    struct measure_compared compared;
    if (measure_options(x, backend, measure_runs_options, &compared))
        compared = (struct measure_compared){0};
    return compared;
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
    if (measure_compares(m->experiment, m->setup.backend).error) {
        TRY(find_solution(m, p, o, &depth));
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
