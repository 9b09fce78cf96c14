/* A straight cut through the solution, from west to east through the middle of the domain. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/problem/initial_state.h"
#include "experiments/measure/measure.h"
#include "verification/run/verify.h"

enum { MOST_TIMES = 64 };

/* Times of the sections, ascending; as written. */
struct times {
    char text[MOST_TIMES][EXPERIMENT_WORD + 1];
    double t[MOST_TIMES]; /* s */
    int count;
};

/* The current point. */
struct cut {
    const struct measure *m;
    const struct point *p;
    struct sim *s;
    double t_end, from_x, to_x;       /* s, m */
    double *field[MEASURE_DEPTH + 1]; /* w, hu, hv, h */
};

static const struct option options[] = {
    {.name = "at"},
    {.name = "from-x", NUMBER_IN(struct cut, from_x, -1e9, 1e9), .initial = "-1e9"},
    {.name = "to-x", NUMBER_IN(struct cut, to_x, -1e9, 1e9), .initial = "1e9"},
    {.name = NULL},
};

static enum err read_times(const struct cut *c, struct times *times)
{
    const struct experiment *x = c->m->experiment;
    const char *at = experiment_variant(x, c->m->wanted, "at", backends[c->m->setup.backend]->name);
    if (!at)
        FAIL(INPUT, "%s:%d: [measure] of kind section needs times: at = 0.5 1, or at = end",
             x->file.path, c->m->wanted->line);
    times->count = experiment_words(x, at, times->text, MOST_TIMES);
    if (times->count < 0)
        return err_last();
    for (int k = 0; k < times->count; k++) {
        char *end;
        const int last = strcmp(times->text[k], "end") == 0;
        times->t[k] = last ? c->t_end : strtod(times->text[k], &end);
        if (!last && (*end || !(times->t[k] >= 0 && times->t[k] <= 1e9)))
            return experiment_fault(x, at, "expected a time in seconds or 'end', got '%s'",
                                    times->text[k]);
        if (k > 0 && !(times->t[k] > times->t[k - 1]))
            return experiment_fault(x, at, "%s is not after %s", times->text[k],
                                    times->text[k - 1]);
    }
    return ERR_OK;
}

/* The level is that of the bed where it is dry. False if there is no exact solution at that
 * time. */
static int exact_at(const struct cut *c, double x, double y, double t, struct flow *flow)
{
    const struct flow_case *f = c->p->flow_case;
    const struct reference *r = f->verify ? f->verify->reference : NULL;
    if (r)
        *flow = r->at(r->of, r->table, x, y, t);
    else if (f->exact && (!f->tends || t >= c->t_end))
        *flow = f->exact(x, y, t);
    else
        return 0;
    const double bed = f->bed(x, y);
    if (!(flow->w > bed))
        *flow = (struct flow){bed, 0, 0};
    return 1;
}

static enum err enter_cell(const struct cut *c, const char *time, double t, int i)
{
    const struct grid_info *g = &c->s->grid;
    const int j = g->ny / 2; /* of an even number: just above the middle */
    const size_t k = (size_t)j * (size_t)g->nx + (size_t)i;
    const double x = grid_x(g, i), y = grid_y(g, j), bed = initial_bed_centre(c->s->initial, i, j);
    char row[2 * EXPERIMENT_WORD];
    struct cells cells = {.used = 0};
    struct flow exact = {.w = (double)NAN};
    const int known = exact_at(c, x, y, t, &exact);
    const double depth = exact.w - c->p->flow_case->bed(x, y);
    const double all[] = {bed,
                          c->field[0][k],
                          fmax(c->field[MEASURE_DEPTH][k], 0),
                          c->field[1][k],
                          c->field[2][k],
                          exact.w,
                          depth,
                          known ? depth * exact.u : (double)NAN};
    if (x < c->from_x || x > c->to_x)
        return ERR_OK;
    snprintf(row, sizeof row, "%s\t%.6g", time, x == 0 ? 0.0 : x);
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        cells_number(&cells, "%.6g", all[n]);
    return measure_enter(c->m, c->p, g->ny, row, &cells);
}

static enum err cut_at(const struct cut *c, const char *time, double t)
{
    sim_extend(c->s, t); /* met exactly, as a pause would not be */
    if (t > c->s->now.t)
        TRY(sim_run(c->s, (double)INFINITY, NULL));
    for (int k = 0; k <= MEASURE_DEPTH; k++)
        TRY(measure_fetch(c->s, k, c->field[k]));
    for (int i = 0; i < c->s->grid.nx; i++)
        TRY(enter_cell(c, time, t, i));
    return ERR_OK;
}

static enum err cut_all(struct cut *c)
{
    const size_t cells = (size_t)c->s->grid.nx * (size_t)c->s->grid.ny;
    struct times *times = malloc(sizeof *times);
    double *all = malloc((MEASURE_DEPTH + 1) * cells * sizeof *all);
    enum err e = ERR_OK;
    if (!times || !all) {
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for four fields of %zu cells",
                    cells);
        goto out;
    }
    for (size_t k = 0; k <= MEASURE_DEPTH; k++)
        c->field[k] = all + k * cells;
    TRY_OUT(read_times(c, times));
    for (int k = 0; k < times->count; k++)
        TRY_OUT(cut_at(c, times->text[k], times->t[k]));
out:
    free(times);
    free(all);
    return e;
}

static enum err run(struct measure *m, const struct point *p, struct opened *o)
{
    struct cut c = {.m = m, .p = p, .s = o->sim, .t_end = o->t_end};
    TRY(measure_options(m->experiment, m->setup.backend, options, &c));
    TRY(measure_reference(p->flow_case));
    return cut_all(&c);
}

const struct measure_kind kind_section = {
    .name = "section",
    .title = "a cut through the solution, beside what is exact",
    .options = options,
    .row_columns = "t\tx",
    .columns = "bed\tw\th\thu\thv\texact_w\texact_h\texact_hu",
    .how =
        "the row of cells in the middle, or just above it; the run meets each time exactly; exact: "
        "at the cells' centres",
    .run = run,
};
