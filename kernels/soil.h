/* Arguments of the kernel that lets water seep into the ground. */
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
    const struct clock *clock;
    ALIGN8 struct physics p;
};

#endif
