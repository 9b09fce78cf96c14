/* A run over terrain from a file, at the places where something was observed: how high the water came, and when. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/problem/initial_state.h"
#include "core/sim/maxima.h"
#include "core/problem/problem.h"
#include "experiments/measure/marks.h"

/* What a run leaves in all cells, in its own precision: (ny, nx). */
struct left {
    enum precision precision;
    double *w;                 /* m */
    void *h, *h_max, *arrival; /* m, m, s */
};

static double get(const struct left *l, const void *field, size_t k)
{
    return l->precision == F64 ? ((const double *)field)[k] : (double)((const float *)field)[k];
}

/* "%.7g\t" without the sign of a zero, "-" for what is not known; returns where it ends. */
static char *add_number(char *to, const char *end, double x)
{
    if (isnan(x))
        return to + snprintf(to, (size_t)(end - to), "-\t");
    return to + snprintf(to, (size_t)(end - to), "%.7g\t", x == 0 ? 0.0 : x);
}

/* Where the water never was deeper than the wet depth it left no mark. */
static void mark_cells(const struct sim *s, const struct left *l, const struct mark *mark,
                       char text[DB_LINE])
{
    char *to = text, *end = text + DB_LINE;
    int i = 0, j = 0;
    marks_cell(&s->grid, mark, &i, &j); /* marks_ready has seen that it lies in one */
    const size_t k = (size_t)j * (size_t)s->grid.nx + (size_t)i;
    const double bed = initial_bed_centre(s->initial, i, j), deepest = get(l, l->h_max, k);
    const int wet = deepest > s->config->wet_depth;
    to = add_number(to, end, bed);
    to = add_number(to, end, deepest);
    to = add_number(to, end, wet ? bed + deepest : (double)NAN);
    to = add_number(to, end, get(l, l->arrival, k));
    to = add_number(to, end, fmax(get(l, l->h, k), 0));
    add_number(to, end, l->w[k]);
}

static enum err run_cells(struct sim *s, char text[DB_LINE])
{
    struct balance b;
    TRY(sim_balance(s, &b));
    const double cells = (double)s->grid.nx * (double)s->grid.ny, steps = (double)s->now.steps;
    snprintf(text, DB_LINE, "%s\t%lu\t%lu\t%lu\t%.9g\t%.6f\t%.2f\t%.9g\t%.3e\t%.3e",
             sim_blocks_from(s), s->now.steps, s->now.redone, s->now.early_exits, s->now.t, s->wall,
             s->wall > 0 ? cells * steps / s->wall / 1e6 : 0, s->volume0, sim_mass_error(s, &b),
             sim_share(s, &b, b.clipped_in));
    return ERR_OK;
}

static enum err enter_marks(const struct measure *m, const struct point *p, struct sim *s,
                            const struct left *l, const struct marks *marks)
{
    static const struct outcome ok = {DB_OK, "-"};
    char of_run[DB_LINE], of_mark[DB_LINE], cells[2 * DB_LINE];
    TRY(run_cells(s, of_run));
    for (int k = 0; k < marks->count; k++) {
        mark_cells(s, l, &marks->at[k], of_mark);
        snprintf(cells, sizeof cells, "%s%s", of_mark, of_run);
        TRY(measure_enter(m, p, s->grid.ny, marks->at[k].name, &ok, cells));
    }
    return ERR_OK;
}

static enum err run(const struct measure *m, const struct point *p, struct sim *s)
{
    const size_t cells = (size_t)s->grid.nx * (size_t)s->grid.ny, bytes = cells * s->real_size;
    struct left l = {.precision = p->precision};
    struct marks marks = {0};
    double *fields = malloc(cells * sizeof *l.w + 3 * bytes);
    enum err e = ERR_OK;
    if (!fields)
        FAIL(MEMORY, "no memory for four fields of %d x %d cells", s->grid.nx, s->grid.ny);
    l.w = fields;
    l.h = fields + cells;
    l.h_max = (char *)l.h + bytes;
    l.arrival = (char *)l.h + 2 * bytes;
    TRY_OUT(marks_read(m->experiment, m->setup.backend, &marks));
    TRY_OUT(sim_run(s, (double)INFINITY, NULL));
    TRY_OUT(sim_level(s, l.w));
    TRY_OUT(sim_depth(s, l.h));
    TRY_OUT(maxima_download(s, MAXIMUM_H, l.h_max));
    TRY_OUT(maxima_download(s, MAXIMUM_ARRIVAL, l.arrival));
    TRY_OUT(enter_marks(m, p, s, &l, &marks));
out:
    marks_free(&marks);
    free(fields);
    return e;
}

static enum err configure(const struct measure *m, struct config *c)
{
    struct marks_asked asked;
    TRY(measure_options(m->experiment, m->setup.backend, marks_options, &asked));
    c->manning.number = asked.manning;
    c->kappa = asked.kappa;
    c->wet_depth = asked.wet_depth;
    c->maxima = 1;
    c->maxima_every = asked.maxima_every;
    return ERR_OK;
}

static enum err measure(struct measure *m, const struct point *p)
{
    struct opened o;
    struct outcome outcome;
    enum err e = measure_open(m, p, &o, &outcome);
    if (!e && o.sim)
        e = measure_judge(&outcome, run(m, p, o.sim));
    if (!e && outcome.outcome != DB_OK)
        e = measure_enter(m, p, o.ny, "-", &outcome, "");
    measure_close(&o);
    return e;
}

const struct measure_kind kind_marks = {
    .name = "marks",
    .title = "how high the water of a run over terrain came at marks, and when",
    .options = marks_options,
    .row_columns = "mark",
    .columns = "bed\th_max\tw_max\tarrival_s\th\tw\tfrom\tsteps\tredone\tleft_out\tt\twall_s\t"
               "mcells_per_s\tvolume\tmass_error\tclipped",
    .how = "whole runs over terrain from a file; largest depth and arrival are kept on the device; "
           "each mark is the cell that it lies in; time of stepping",
    .ready = marks_ready,
    .configure = configure,
    .measure = measure,
};
