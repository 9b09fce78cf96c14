/* Arguments of the kernel that records the state at gauges. */
#ifndef SHOAL_GAUGES_ARGS_H
#define SHOAL_GAUGES_ARGS_H

enum { GAUGE_UNKNOWNS = 4 }; /* as many as a system may have */

/* A block's record of the rows written so far: the same in all blocks, but each has its own copy, so that
 * none reads what another writes. */
struct gauges_noted {
    unsigned long rows;
    double last; /* time of the last one, s */
};

struct gauges_args {
    struct span span;                    /* gauges, in one row */
    const real *unknown[GAUGE_UNKNOWNS]; /* the first `unknowns` of them, at cell (0,0) */
    int unknowns;
    const long *cell;           /* of each gauge, counted from cell (0,0) */
    real *row;                  /* `ring` rows, each the unknowns, each of all gauges */
    double *time;               /* of each row, s */
    struct gauges_noted *noted; /* of each block */
    int ring;
    int when;     /* enum occasion */
    double every; /* s */
    const struct clock *clock;
    ALIGN8 struct physics p;
};

#endif
