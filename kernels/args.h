/* The arguments of every kernel, one struct each; the host includes this text in double precision.
 *
 * Each begins with the span its blocks cover and ends with `struct physics p`, the only place for
 * numbers of precision `real`: the host fills the double version and the launcher rewrites p's
 * members as floats for an f32 run. Field pointers point at cell (0,0); ghost cells have negative
 * indices or indices from nx or ny. Corner (i,j) is the lower left corner of cell (i,j). */
#ifndef SHOAL_ARGS_H
#define SHOAL_ARGS_H

#include "tile.h"

#define GHOSTS 2 /* ghost cells on each side of the domain */

enum edge { WEST, EAST, SOUTH, NORTH, EDGES };
enum boundary { WALL, OPEN, PERIODIC };
enum halt { RUNNING, AT_PAUSE, AT_END, BROKEN };
enum counters { CLIPPED_IN, DRIED_OUT, COUNTERS };

/* SI units. All members have type real: see above. */
struct physics {
    real inv_dx, inv_dy; /* 1/m */
    real g;              /* m/s2 */
    real theta;          /* of the limiter */
    real kappa4;         /* fourth power of the desingularisation depth, m4 */
    real dry;            /* depth below which a cell is set dry, m */
    real friction;       /* g n^2, of Manning's n */
    real units;          /* counter units per metre of depth */
    real weight;         /* share of this substep in the full step */
};
#define PHYSICS_REALS (sizeof(struct physics) / sizeof(real))

struct fields {
    real *w, *hu, *hv; /* surface level m, discharges m2/s */
};

/* Time, on the device, so that the host need not wait for a step. */
struct clock {
    double t; /* reached by the step under way, s */
    double dt, dt_min, dt_max;
    double t_end;             /* the last step is shortened to meet it */
    double t_pause;           /* the first step to reach it is the last before a pause */
    double courant, fixed_dt; /* fixed_dt > 0 replaces the Courant rule */
    unsigned long steps, step_limit;
    float dt_single;
    unsigned halt; /* enum halt; kernels do nothing while it is not RUNNING */
};

/* The time step in the run's precision. */
FN real step_length(const struct clock *c)
{
#if PRECISION == 64
    return c->dt;
#else
    return c->dt_single;
#endif
}

/* Offset of cell or corner (i,j) from (0,0). */
FN long at(long pitch, int i, int j)
{
    return (long)j * pitch + i;
}

#ifdef __cplusplus
#define ALIGN8 alignas(8)
#else
#define ALIGN8 _Alignas(8)
#endif

struct flux_args {
    struct span span;
    long pitch;
    struct fields q, r; /* state in; net rate of change out, per second */
    const real *bed;    /* at corners, m */
    bits *block_speed;  /* out, a pattern per block: largest |u|+c over the cell size, 1/s */
    real *edge;         /* out: mass flux through the domain's edges, or null */
    const struct clock *clock;
    ALIGN8 struct physics p;
};

struct rk_args {
    struct span span;
    long pitch;
    struct fields base, from, to, r; /* base: start of the step, for the second substep */
    const real *bed;
    counter *counters; /* [COUNTERS] */
    const struct clock *clock;
    ALIGN8 struct physics p;
};

struct boundary_args {
    struct span span; /* one position on the domain's rim each: west, east, south, north */
    long pitch;
    int nx, ny;
    int kind[EDGES]; /* enum boundary */
    struct fields q;
    const real *bed;
    const struct clock *clock;
    ALIGN8 struct physics p;
};

struct clock_args {
    struct span span; /* one block */
    long blocks;
    const bits *block_speed;
    struct clock *clock;
    ALIGN8 struct physics p;
};

struct inflow_args {
    struct span span; /* positions on the rim, as above */
    int nx, ny;
    const real *edge; /* mass flux through each, m2/s, in the direction of the axis */
    double *sum;      /* net inflow through each so far, m2 */
    const struct clock *clock;
    ALIGN8 struct physics p;
};

#endif
