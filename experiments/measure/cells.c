/* The cells of a row, one after the other. */
#include <math.h>
#include <stdio.h>

#include "experiments/measure/measure.h"

static void add_cell(struct cells *c, const char *text)
{
    if (c->used < sizeof c->text)
        c->used += (size_t)snprintf(c->text + c->used, sizeof c->text - c->used, "%s%s",
                                    c->used ? "\t" : "", text);
}

void cells_text(struct cells *c, const char *text)
{
    add_cell(c, text);
}

void cells_number(struct cells *c, const char *format, double x)
{
    char number[64] = "-";
    if (!isnan(x))
        snprintf(number, sizeof number, format, x == 0 ? 0.0 : x);
    add_cell(c, number);
}

void cells_run(struct cells *c, const struct sim *s, const struct counted_before *before)
{
    const double steps = (double)(s->now.steps - before->steps);
    const double cells = sim_cells(s);
    cells_text(c, sim_blocks_from(s));
    cells_number(c, "%.0f", steps);
    cells_number(c, "%.0f", (double)(s->now.redone - before->redone));
    cells_number(c, "%.0f", (double)(s->now.early_exits - before->left_out));
    cells_number(c, "%.9g", s->now.t);
    cells_number(c, "%.6f", s->wall);
    cells_number(c, "%.2f", s->wall > 0 ? cells * steps / s->wall / 1e6 : 0);
}
