/* The speed of a run over simulated time: the effect of dry land and early exit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/problem/initial_state.h"
#include "experiments/measure/measure.h"

enum { WARM_UP = 2 }; /* steps that load code and data, and do not count */

/* The current point. */
struct line {
    const struct measure *m;
    const struct point *p;
    struct sim *s;
    double *h;
    int pieces; /* of the run */
    struct {
        double wall; /* s */
        unsigned long steps, early_exits;
    } last; /* at the end of the last piece */
};

static const struct option options[] = {
    {.name = "records", COUNT_IN(struct line, pieces, 1, 10000), .initial = "50"},
    {.name = NULL},
};

static double share_dry(const struct line *l)
{
    const struct grid_info *g = &l->s->grid;
    double dry = 0;
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            const size_t k = (size_t)j * (size_t)g->nx + (size_t)i;
            dry += l->h[k] <= l->s->initial->dry;
        }
    return dry / ((double)g->nx * (double)g->ny);
}

static void remember(struct line *l)
{
    l->last.wall = l->s->wall;
    l->last.steps = l->s->now.steps;
    l->last.early_exits = l->s->now.early_exits;
}

/* A piece shorter than a step may have none, and no speed then. */
static enum err enter_piece(struct line *l, int piece)
{
    const struct sim *s = l->s;
    const double steps = (double)(s->now.steps - l->last.steps), wall = s->wall - l->last.wall;
    const double passes = (double)(s->now.early_exits - l->last.early_exits);
    const double none = (double)NAN, cells = sim_cells(s);
    struct cells c = {.used = 0};
    char row[32];
    snprintf(row, sizeof row, "%d", piece);
    cells_number(&c, "%.6g", s->now.t);
    cells_number(&c, "%.2f", steps > 0 ? cells * steps / wall / 1e6 : none);
    cells_number(&c, "%.4f", share_dry(l));
    cells_number(&c, "%.4f", steps > 0 ? passes * s->scheme->steps / steps : none);
    cells_number(&c, "%.0f", steps);
    cells_number(&c, "%.6f", wall);
    return measure_enter(l->m, l->p, s->grid.ny, row, &c);
}

static enum err run_pieces(struct line *l, double t_end)
{
    const int pieces = l->pieces;
    TRY(sim_step_many(l->s, WARM_UP));
    for (int k = 1; k <= pieces; k++) {
        remember(l);
        TRY(sim_run(l->s, k == pieces ? (double)INFINITY : t_end * k / pieces, NULL));
        TRY(measure_fetch(l->s, MEASURE_DEPTH, l->h));
        TRY(enter_piece(l, k));
    }
    return ERR_OK;
}

static enum err run(struct measure *m, const struct point *p, struct opened *o)
{
    struct line l = {.m = m, .p = p, .s = o->sim};
    TRY(measure_options(m->experiment, m->setup.backend, options, &l));
    l.h = malloc((size_t)l.s->grid.nx * (size_t)l.s->grid.ny * sizeof *l.h);
    if (!l.h)
        FAIL(MEMORY, "no memory for the depth in %d x %d cells", l.s->grid.nx, l.s->grid.ny);
    const enum err e = run_pieces(&l, o->t_end);
    free(l.h);
    return e;
}

const struct measure_kind kind_timeline = {
    .name = "timeline",
    .divides = 1,
    .title = "a run's speed over simulated time",
    .options = options,
    .row_columns = "record",
    .columns = "t\tmcells_per_s\tdry\tleft_out\tsteps\twall_s",
    .how = "the run is cut into equal pieces of simulated time, of which each ends with the first "
           "step that reaches it; the first two steps are left out; time of stepping",
    .run = run,
};
