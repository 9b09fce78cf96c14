/* Series on the device, in double precision whatever the run's: what rows of struct knot say. */
#ifndef SHOAL_KNOTS_H
#define SHOAL_KNOTS_H

#include "args.h"
#include "edges.h"

/* The last row that is not behind a time, or the first. */
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

/* From the first row on. */
FN double integral_to(const struct knot *row, int rows, double time)
{
    const struct knot k = row[row_at(row, rows, time)];
    const double more = time - k.time;
    return k.before + more * (k.value + (more > 0 ? 0.5 * (more / k.slowness) : 0));
}

#endif
