/* Arguments of the kernel for infiltration. */
#ifndef SHOAL_SOIL_ARGS_H
#define SHOAL_SOIL_ARGS_H

struct soil_args {
    struct span span;
    long pitch; /* of the bed and all else, too */
    struct fields q;
    const real *centre;
    real *infiltrated;              /* in each cell since the start, m */
    const real *rate_of, *store_of; /* m/s; suction times deficit, m; null: the same everywhere: */
    double rate, store;
    counter *
        seeped; /* tracer that has seeped away, [2] of volume.h, in units of p.units; null: there is no tracer */
    const struct clock *clock;
#ifdef WITH_TRACER
    struct tracer_args carried;
#endif /* WITH_TRACER */
    ALIGN8 struct physics p;
};

#endif
