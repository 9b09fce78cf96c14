/* Where a sparse domain stores tiles as time passes. */
#include <stdio.h>

#include "core/sim/sparse.h"
#include "experiments/measure/measure_parts.h"

struct asked {
    int records;
};

static const struct option options[] = {
    {.name = "records", COUNT_IN(struct asked, records, 1, 100), .initial = "4"},
    {.name = NULL},
};

/* A stored tile: its centre and size, m. */
static enum err enter_tile(const struct measure *m, const struct point *p, const struct sim *s,
                           int record, int tile)
{
    const struct window w = tiles_window(&s->tiles, tile);
    const struct grid_info *g = &s->grid;
    struct cells c = {.used = 0};
    char row[64];
    snprintf(row, sizeof row, "%d\t%d\t%d", record, tile % s->tiles.columns,
             tile / s->tiles.columns);
    cells_number(&c, "%.6g", s->now.t);
    cells_number(&c, "%.9g", g->x0 + (w.i0 + 0.5 * w.nx) * g->dx);
    cells_number(&c, "%.9g", g->y0 + (w.j0 + 0.5 * w.ny) * g->dy);
    cells_number(&c, "%.9g", w.nx * g->dx);
    cells_number(&c, "%.9g", w.ny * g->dy);
    cells_number(&c, "%.0f", s->forest->stored);
    cells_number(&c, "%.0f", tiles_count(&s->tiles));
    return measure_enter(m, p, g->ny, row, &c);
}

static enum err run(struct measure *m, const struct point *p, struct opened *o)
{
    struct asked asked;
    struct sim *s = o->sim;
    TRY(measure_options(m->experiment, m->setup.backend, options, &asked));
    if (!s->forest)
        FAIL(INPUT, "the domain of %s is full: `options` must have domain=sparse",
             p->flow_case->name);
    for (int k = 1; k <= asked.records; k++) {
        TRY(sim_run(s, o->t_end * k / asked.records, NULL));
        for (int tile = 0; tile < s->forest->tiles; tile++)
            if (s->forest->slot[tile] >= 0)
                TRY(enter_tile(m, p, s, k, tile));
    }
    return ERR_OK;
}

const struct measure_kind kind_tile_map = {
    .name = "tile-map",
    .title = "which tiles a sparse domain stores, as time goes on",
    .options = options,
    .row_columns = "record\tcolumn\trow",
    .columns = "t\tx\ty\twide\thigh\tstored\ttiles",
    .how =
        "a row for each tile that is stored at the first step that reaches an equal share of the "
        "time; x, y: its middle, m; wide, high, m; stored, tiles: of all",
    .run = run,
};
