/* Arguments of the kernel that keeps the largest flood hazard of a run. */
#ifndef SHOAL_HAZARD_ARGS_H
#define SHOAL_HAZARD_ARGS_H

/* Debris floats in deeper water, m, and fast water, m/s, carries it at any depth: Defra and Environment Agency,
 * FD2321/TR1, table 3.1. */
#define HAZARD_FLOATS 0.25
#define HAZARD_SWEEPS 2

/* A cell is wet where its depth is above p.dry, which here is --wet-depth; p.weight is what debris adds, m2/s, in water
 * deeper than HAZARD_FLOATS or faster than HAZARD_SWEEPS. */
struct hazard_args {
    struct span span;
    long pitch; /* of all arrays */
    struct fields q;
    const real *centre;  /* bed at the cells' centres, m */
    real *most;          /* the largest h (|u| + 0.5) + debris while wet, m2/s; 0: never wet */
    unsigned long every; /* steps between looks at the state */
    int when;            /* enum occasion */
    const struct clock *clock;
    ALIGN8 struct physics p;
};

#endif
