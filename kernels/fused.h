/* Arguments of the fused kernels and of the clock that runs ahead of them. Separate from args.h, whose text is
 * part of every kernel's hash. */
#ifndef SHOAL_FUSED_ARGS_H
#define SHOAL_FUSED_ARGS_H

/* The time step that a fused substep takes before the wave speeds of its state are known; see clock_ahead.cu. */
struct ahead {
    double wanted; /* s; 0: still unknown */
    double dt;     /* the same in the run's precision, shortened to meet the end; 0 as above */
    float single;
    counter counters[COUNTERS]; /* clipped by the first substep: counts if its step is accepted */
};

struct fused_args {
    struct span span;
    long pitch;                /* of the bed, too */
    struct fields base, q, to; /* start of the step, for the second substep; state in; state out */
    struct fields force;       /* null pointers: there is none */
    struct ground ground;
    const real *roughness; /* g n^2 in every cell; null: the same in all */
    bits *block_speed;     /* out, a pattern per block: largest |u|+c over the cell size, 1/s */
    real *rim[EDGES];      /* out: mass flux through the domain's edges, or null */
    counter *counters;     /* [COUNTERS] of the second substep */
    struct ahead *ahead;
    const struct clock *clock;
    unsigned stride; /* of this update's dither: num/update.h */
#ifdef WITH_TRACER
    struct tracer_args carried;
#endif /* WITH_TRACER */
    ALIGN8 struct physics p;
};

struct ahead_args {
    struct span span; /* one block */
    int blocks;       /* whose speeds are reduced */
    const bits *block_speed;
    counter *counters;
    struct ahead *ahead;
    struct clock *clock;
#ifdef WITH_TRACER
    struct tracer_args carried;
#endif /* WITH_TRACER */
    ALIGN8 struct physics p;
};

#endif
