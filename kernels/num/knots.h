/* Series on the device, in double precision whatever the run's: evaluates rows of struct knot. */
#ifndef SHOAL_KNOTS_H
#define SHOAL_KNOTS_H

#include "args.h"
#include "edges.h"

/* The last row at or before a time, or the first row. */
FN int row_at(const struct knot *row, int rows, double time)
{
    int low = 0, high = rows;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (row[middle].time <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Integral from the first row's time to `time`. */
FN double integral_to(const struct knot *row, int rows, double time)
{
    const struct knot k = row[row_at(row, rows, time)];
    const double more = time - k.time;
    return k.before + more * (k.value + (more > 0 ? 0.5 * (more / k.slowness) : 0));
}

#endif
