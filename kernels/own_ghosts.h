/* What kernels of an undivided run get to do the work of others, whose launches it then does without: compiled with
 * FILLS_GHOSTS, they fill the ghost cells of the states that they write (fill_own.h), and the clock of a tried step goes
 * on in them (own_clock.h). */
#ifndef SHOAL_OWN_GHOSTS_H
#define SHOAL_OWN_GHOSTS_H

#include "args.h"

#include "fused.h"

/* By what a step is judged that one kernel tries: accepted if the largest wave speed allows its length. */
struct terms {
    double courant, most, idle; /* the limits of num/step.h: see allowed() */
    double length;              /* s */
    double dt;                  /* as the step gets it once it is accepted, */
    double t, t_end;            /* the time reached by then, and the end of the run */
    double before;              /* what follows then: see length_to_try; */
    double factor, fixed_dt;    /* fixed_dt > 0 replaces it */
    unsigned long steps;        /* made by then */
    float single;               /* dt */
    unsigned pass;              /* from 0 */
    int never;                  /* it is not accepted at any speed */
};

/* The first kernel sets the terms; the next one's blocks judge by them, while one that does nothing else moves the clock
 * on. Largest wave speeds of every other pass have the same place. */
struct trial {
    struct terms terms;
    unsigned next; /* the pass that comes, or is under way in the first kernel */
    bits speed[2]; /* the largest found by the first kernel, over the cell size, 1/s */
};

/* Where the blocks that find the flow through the domain's edges leave it, in passes by turns, and its sums over the run. */
struct rims {
    /* Mass flux at each position, as in struct inflow_args; null: no edge lets anything through. */
    const real *flux[2];
    double *sum, *lost;
    int nx, ny;
};

struct own_ghosts {
    int kind[EDGES];     /* enum boundary: WALL, OPEN or PERIODIC */
    struct trial *trial; /* null: a launch of its own moves the clock on */
    struct clock *clock;
    struct ahead *ahead;
    counter *counters; /* [COUNTERS]; of the tracer as in struct tracer_args */
    counter *clipped;
    struct rims rims; /* of passes that judge each other: linked_clock.h */
};

#endif
