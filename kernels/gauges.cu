/* Records the state at gauges in a ring of rows that the host empties: at the start, at the first step boundary
 * at or after each multiple of an interval, and at the end. */
#include "args.h"
#include "gauges.h"
#include "sampling.h"

NO_TILES;

FN int wanted(const struct gauges_args *a, const struct gauges_noted *noted)
{
    const struct clock *c = a->clock;
    if (a->when == LOOK_BEGIN)
        return c->steps == 0 && noted->rows == 0;
    if (a->when == LOOK_END)
        return c->halt == AT_END && c->t > noted->last;
    return stepped(c) && passed_time(c, a->every);
}

KERNEL(gauges, struct gauges_args)
{
    (void)t;
    const struct gauges_noted noted = a.noted[BLOCK_ID];
    if (!wanted(&a, &noted))
        return;
    const int at_row = (int)(noted.rows % (unsigned long)a.ring);
    real *const row = a.row + a.unknowns * (long)a.span.nx * at_row;
    for (int u = 0; u < a.unknowns; u++) {
        FOR_TILE(i, j, 0, 0) {
            const int k = X0 + i;
            row[u * (long)a.span.nx + k] = a.unknown[u][a.cell[k]];
        }
    }
    SYNC;
    ONCE
    {
        a.noted[BLOCK_ID].rows = noted.rows + 1;
        a.noted[BLOCK_ID].last = a.clock->t;
        if (BLOCK_ID == 0)
            a.time[at_row] = a.clock->t;
    }
}
