/* Arguments of the kernel of point sources and sinks. */
#ifndef SHOAL_SPRINGS_ARGS_H
#define SHOAL_SPRINGS_ARGS_H

#include "edges.h"

/* A series of m3/s, and the depth that a cubic metre of it makes in each of its cells. */
struct spring {
    int first, rows; /* knots */
    double share;    /* 1/m2 */
    double c;        /* of a tracer in the incoming water */
};

/* Sums count metres in these units, so that the order does not matter. */
#define SPRING_UNITS 0x1p40

/* What a spring gave to one of its cells and took from it since the start, in SPRING_UNITS of a metre; and the
 * amount of a tracer that went along, times `scale`. */
enum { GAVE, TOOK, GAVE_AMOUNT, TOOK_AMOUNT, SPRING_SUMS };

struct springs_args {
    struct span span; /* cells with springs, in one row */
    struct fields q;
    const real *centre;
    const long *cell;  /* of each, counted from cell (0,0) */
    const int *begin;  /* [cells + 1]: its first entry of: */
    const int *spring; /* each cell's springs, one cell after the other */
    const int *number; /* index of each entry in the sums */
    const struct spring *springs;
    const struct knot *knots;
    counter *sums; /* [SPRING_SUMS] of each number */
    double scale;  /* of a tracer's c in them: makes it less than 1; 0: there is none */
    const struct clock *clock;
#ifdef WITH_TRACER
    struct tracer_args carried;
#endif /* WITH_TRACER */
    ALIGN8 struct physics p;
};

#endif
