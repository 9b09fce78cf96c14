/* Arguments of the kernel that keeps the largest values of a run. */
#ifndef SHOAL_MAXIMA_ARGS_H
#define SHOAL_MAXIMA_ARGS_H

/* A cell is wet where its depth is above p.dry, which here is --wet-depth. */
struct maxima_args {
    struct span span;
    long pitch; /* of all arrays */
    struct fields q;
    const real *centre; /* bed at the cells' centres, m */
    real *h;            /* largest depth, m; its sign is set while the cell is wet */
    real *speed;        /* largest |u| while wet, m/s */
    real *flux;         /* largest h |u|^2 while wet, m3/s2 */
    real *arrival;      /* when the cell was first found wet, s; NAN: never */
    /* How long it was wet until it last became dry, s; while it is wet, less the time when it last became wet. */
    real *duration;
    unsigned long every; /* steps between looks at the state */
    int when;            /* enum occasion */
    const struct clock *clock;
    ALIGN8 struct physics p;
};

#endif
