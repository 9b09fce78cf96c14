/* A case: a flow given by formulas. One file each in verification/cases; NAME.c defines
 * `const struct flow_case case_NAME` (hyphens in the name become underscores in the symbol). */
#ifndef SHOAL_CASE_H
#define SHOAL_CASE_H

#include "kernels/host_args.h" /* enum edge, enum boundary */

struct flow {
    double w, u, v; /* surface level m, velocities m/s */
};

struct flow_case {
    const char *name, *title, *cite;
    int nx, ny;              /* default size, cells */
    double lx, ly;           /* extent, m */
    double x0, y0;           /* lower left corner, m */
    double t_end;            /* s */
    double gravity, manning; /* m/s2, s/m^(1/3) */
    double kappa;            /* desingularisation depth, m, at default size; 0: from the rule */
    int kappa_scales;        /* kappa grows with the cell size */
    enum boundary boundary[EDGES];

    /* Bed level at a point (the solver takes it at cell corners), m. */
    double (*bed)(double x, double y);
    /* The water at time 0 at a point (the solver takes it at cell centres). Where the level is
     * not above the bed the point is dry. */
    struct flow (*initial)(double x, double y);
    int jumps; /* the initial level jumps: cells across a jump take the mean over their area */

    /* Optional: the exact solution at any time. */
    struct flow (*exact)(double x, double y, double t);
};

#endif
