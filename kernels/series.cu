/* What edges impose at the time of a state, from series. Apart from edges.cu, as time is in double
 * precision whatever the run's. */
#include "args.h"

#include "edges.h"

NO_TILES;

/* Before its first row and after its last one a series stays. A quotient and a sum cannot be
 * contracted: the same bits in fast mode, too. */
FN double value_at(const struct knot *row, int rows, double time)
{
    int low = 0, high = rows - 1;
    if (!(time > row[0].time))
        return row[0].value;
    if (time >= row[high].time)
        return row[high].value;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (row[middle].time <= time)
            low = middle;
        else
            high = middle;
    }
    return row[low].value + (time - row[low].time) / row[low].slowness;
}

/* `back` is 0, 1/2, 1 or 2, so that its product with dt is exact. */
KERNEL(series, struct series_args)
{
    (void)t;
    if (a.clock->halt)
        return;
    const double time = a.clock->t - a.back * a.clock->dt;
    FOR_TILE(i, j, 0, 0) {
        const struct edge_series s = a.series[X0 + i];
        a.given[s.given] = (real)value_at(a.knots + s.first, s.rows, time);
    }
}
