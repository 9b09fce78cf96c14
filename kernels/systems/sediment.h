/* Arguments of the kernels of sediment. All fluxes include 1/C and are those of a layer, m2/s. */
#ifndef SHOAL_SEDIMENT_ARGS_H
#define SHOAL_SEDIMENT_ARGS_H

/* The kernels in sediment.cu: PART of a recipe. */
#define BASIN_H     1 /* h of the published scheme */
#define BASIN_S     2 /* then s */
#define BASIN_CONS  3 /* both of the conservative one */
#define BASIN_LIMIT 4 /* how long a step may be */
#define BASIN_TAKE  5 /* makes the result of a step the solution, and books it */
#define BASIN_HOME  6 /* the same where a run halted in between */
#define BASIN_ONE \
    7 /* BASIN_H and BASIN_S in one; not in parts or tiles: it cannot compute the new h of their neighbours */

/* What struct physics holds for a system without a bed (core/sim/physics.c): 1/Cs, 1/Cm, and 1/A, 1/m; the
 * largest of alpha and beta times the larger of 1/Cs and 1/Cm, m2/s; and, 1/s, the largest limit of a cell that
 * allows the fixed step, or 0. */
#define PER_SAND    g
#define PER_MUD     theta
#define PER_LAYER   kappa4
#define MOST_SPREAD shallow
#define ALLOWED     weight

struct sediment_args {
    struct span span;
    long pitch;
    real *h, *s;              /* at the start of the step, m and 1 */
    const real *alpha, *beta; /* m2/s */
    int supplied;             /* cells get sediment from outside: */
    const real *in,
        *in_sand;        /* m/s, total and sand; else any arrays: masked reads of null are slow */
    real *to_h, *to_s;   /* at its end */
    real *own_h, *own_s; /* where BASIN_TAKE and BASIN_HOME copy that: the solution */
    bits *block_speed;   /* out, a pattern per block: what limits the step, 1/s */
    bits *excess;        /* pattern: the most by which s has left 0 to 1, in all steps */
    counter *booked;     /* [VOLUME_COUNTERS] of volume.h: ds + s dh / A, in units of p.units */
    int around_x, around_y; /* periodic edges */
    const real
        *rise; /* and how much higher unknowns are there, as in struct any_boundary_args; or null */
    int *away; /* the solution lies in the other arrays: a pass halted between its two steps */
    int goes_away; /* the step makes it so */
    const struct clock *clock;
    ALIGN8 struct physics p;
};

/* Arguments of the kernel that finds what edges bring to the cells beside them. */
struct sediment_edges_args {
    struct span span; /* one position on the domain's rim each: west, east, south, north */
    long pitch;
    int nx, ny;
    const long *where; /* as in struct boundary_args */
    const unsigned short *segment[EDGES];
    const int *kind;   /* of every segment, enum boundary */
    const real *given; /* [GIVENS] of every segment */
    int count;         /* series */
    const struct edge_series *series;
    const struct knot *knots;
    const real *h, *s, *alpha, *beta;
    const real *force, *force_sand; /* what a case adds to every cell, m/s; or null */
    real *in, *in_sand;             /* out, as in struct sediment_args */
    real *rim[EDGES],
        *rim_sand[EDGES]; /* out: flux through the domain's edges along the axis; or null */
    const struct clock *clock;
    ALIGN8 struct physics p;
};

#endif
