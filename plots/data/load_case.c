/* The initial state of a case as an SQL table: from formulas, without a run. */
#include <math.h>

#include "core/problem/problem.h"
#include "core/registry/registry.h"
#include "core/sim/sim.h"
#include "plots/data/load.h"

enum { COLUMNS = 7 };

/* As in the solver: the bed is the mean of a cell's corners, and a cell whose level is not above it
 * is dry. */
static enum err add_cell(struct database *d, const struct setup *s, int i, int j)
{
    const struct source *from = &s->source;
    const void *c = from->context;
    const double bed = 0.25 * ((from->bed(c, i, j) + from->bed(c, i + 1, j + 1)) +
                               (from->bed(c, i + 1, j) + from->bed(c, i, j + 1)));
    const struct flow q = from->water(c, i, j);
    const double h = fmax(0, q.w - bed);
    const double cell[COLUMNS] = {grid_x(&s->grid, i), grid_y(&s->grid, j), bed + h, bed, h,
                                  h > 0 ? q.u : 0,     h > 0 ? q.v : 0};
    struct sql_value v[COLUMNS];
    for (int k = 0; k < COLUMNS; k++)
        v[k] = (struct sql_value){NULL, cell[k]};
    return sql_add(d->sql, v);
}

enum err load_case(struct database *d, const char *table, const char *name, int nx)
{
    struct config config;
    struct problem problem;
    config_case_defaults(&config);
    config.nx = nx;
    TRY(database_run(d, "CREATE TABLE %s (x, y, w, bed, h, u, v)", table));
    TRY(problem_open_case(&problem, find_case(name), &config));
    const struct grid_info *g = &problem.setup.grid;
    enum err e = sql_into(d->sql, table, COLUMNS);
    for (int j = 0; j < g->ny && !e; j++)
        for (int i = 0; i < g->nx && !e; i++)
            e = add_cell(d, &problem.setup, i, j);
    e = sql_done(d->sql, e);
    problem_close(&problem);
    return e;
}
