/* A run over terrain from a file: the highest level and the arrival time at marks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/reals.h"
#include "core/problem/initial_state.h"
#include "core/sim/maxima.h"
#include "core/problem/problem.h"
#include "experiments/measure/marks.h"

/* Results of a run in all cells, (ny, nx): doubles, and numbers of its own precision. */
struct left {
    double *w;                 /* m */
    void *h, *h_max, *arrival; /* m, m, s */
};

/* Water that was never deeper than the wet depth left no mark. */
static void mark_cells(const struct sim *s, const struct left *l, const struct mark *mark,
                       struct cells *c)
{
    int i = 0, j = 0;
    marks_cell(&s->grid, mark, &i, &j); /* marks_ready has checked that it lies in one */
    const size_t k = (size_t)j * (size_t)s->grid.nx + (size_t)i;
    const double bed = initial_bed_centre(s->initial, i, j);
    const double deepest = reals_get(l->h_max, s->real_size, k);
    const int wet = deepest > s->config->wet_depth;
    const double all[] = {bed,
                          deepest,
                          wet ? bed + deepest : (double)NAN,
                          reals_get(l->arrival, s->real_size, k),
                          fmax(reals_get(l->h, s->real_size, k), 0),
                          l->w[k]};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        cells_number(c, "%.7g", all[n]);
}

static enum err enter_marks(const struct measure *m, const struct point *p, struct sim *s,
                            const struct left *l, const struct marks *marks)
{
    static const struct counted_before nothing;
    struct balance b;
    TRY(sim_balance(s, &b));
    for (int k = 0; k < marks->count; k++) {
        struct cells c = {.used = 0};
        mark_cells(s, l, &marks->at[k], &c);
        cells_run(&c, s, &nothing);
        cells_number(&c, "%.9g", s->total0[0]);
        cells_number(&c, "%.3e", sim_mass_error(s, &b));
        cells_number(&c, "%.3e", sim_share(s, &b, b.clipped_in));
        TRY(measure_enter(m, p, s->grid.ny, marks->at[k].name, &c));
    }
    return ERR_OK;
}

static enum err run(struct measure *m, const struct point *p, struct opened *o)
{
    struct sim *s = o->sim;
    const size_t cells = (size_t)s->grid.nx * (size_t)s->grid.ny, bytes = cells * s->real_size;
    struct left l;
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
    TRY_OUT(maxima_download(s, MAXIMUM_H, NULL, l.h_max));
    TRY_OUT(maxima_download(s, MAXIMUM_ARRIVAL, NULL, l.arrival));
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

const struct measure_kind kind_marks = {
    .name = "marks",
    .title = "how high the water of a run over terrain came at marks, and when",
    .options = marks_options,
    .row_columns = "mark",
    .columns = "bed\th_max\tw_max\tarrival_s\th\tw\t" MEASURE_RUN "\tvolume\tmass_error\tclipped",
    .how = "whole runs over terrain from a file; largest depth and arrival are kept on the device; "
           "each mark is the cell that it lies in; time of stepping",
    .ready = marks_ready,
    .configure = configure,
    .run = run,
};
