/* The initial state of a case as a source of figures: formulas alone, no run. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/registry/catalog.h"
#include "core/problem/problem.h"
#include "core/sim/sim.h"
#include "plots/data/source_parts.h"

enum { COLUMNS = 7, DEFAULT_NX = 160, MOST_NX = 2000 };

static enum err read_nx(const struct source_request *r, int *nx)
{
    const char *text = experiment_value(r->experiment, r->data, "nx");
    char *end;
    *nx = DEFAULT_NX;
    if (!text)
        return ERR_OK;
    errno = 0;
    const long n = strtol(text, &end, 10);
    if (errno || *end || n < 1 || n > MOST_NX)
        return experiment_fault(r->experiment, text,
                                "'%s' is no number of cells from west to east, 1 to %d", text,
                                MOST_NX);
    *nx = (int)n;
    return ERR_OK;
}

/* As the solver takes them: the bed is the mean of a cell's corners, and water that is not above it is
 * none. */
static enum err add_cell(struct frame *f, const struct setup *s, int i, int j)
{
    const struct source *from = &s->source;
    const void *c = from->context;
    const double bed = 0.25 * ((from->bed(c, i, j) + from->bed(c, i + 1, j + 1)) +
                               (from->bed(c, i + 1, j) + from->bed(c, i, j + 1)));
    const struct flow q = from->water(c, i, j);
    const double h = fmax(0, q.w - bed);
    const double cell[COLUMNS] = {grid_x(&s->grid, i), grid_y(&s->grid, j), bed + h, bed, h,
                                  h > 0 ? q.u : 0,     h > 0 ? q.v : 0};
    TRY(frame_add_row(f));
    for (int k = 0; k < f->columns; k++)
        TRY(frame_set_number(f, f->rows - 1, k, cell[k]));
    return ERR_OK;
}

enum err source_case(const struct source_request *r, struct plot_table *t)
{
    struct catalog known;
    struct config config;
    struct problem problem;
    config_case_defaults(&config);
    const struct flow_case *f = find_case(r->argument);
    if (!f) {
        catalog_fill(&known, LIST_CASES);
        return catalog_unknown(&known, "case", r->argument, "`shoal list cases` lists them");
    }
    TRY(read_nx(r, &config.nx));
    TRY(problem_open_case(&problem, f, &config));
    const struct grid_info *g = &problem.setup.grid;
    enum err e = frame_create(&t->frame, "x\ty\tw\tbed\th\tu\tv");
    for (int j = 0; j < g->ny && !e; j++)
        for (int i = 0; i < g->nx && !e; i++)
            e = add_cell(&t->frame, &problem.setup, i, j);
    problem_close(&problem);
    snprintf(t->file, sizeof t->file, "case %s", f->name);
    return e;
}
