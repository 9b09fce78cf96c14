/* Arguments of the kernel for rain. */
#ifndef SHOAL_RAIN_ARGS_H
#define SHOAL_RAIN_ARGS_H

#include "edges.h"

struct rain_args {
    struct span span;
    long pitch; /* of the bed, too */
    real *eta;
    const real
        *share; /* of the rain that a cell gets: 0 where it is a wall; null: all cells get all */
    int rows;   /* of a series, in m/s; 0: there are fields */
    const struct knot *knots;
    int fields;
    const double *begin; /* [fields + 1]: when each begins, and the last ends, s */
    const real *field;   /* `cells` numbers each, m/s */
    long cells;
    const int *along_x, *along_y; /* their sum is a cell's number in a field */
    const struct clock *clock;
#ifdef WITH_TRACER
    struct tracer_args carried;
#endif /* WITH_TRACER */
    ALIGN8 struct physics p;
};

#endif
