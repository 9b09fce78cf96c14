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
#define REACH  4 /* cells that a step's result in a cell depends on, in each direction */

enum edge { WEST, EAST, SOUTH, NORTH, EDGES };
enum halt { RUNNING, AT_PAUSE, AT_END, BROKEN };
enum task {
    CHOOSE,   /* dt from fluxes in both directions */
    CHOOSE_X, /* a split scheme's dt from the fluxes in x and the last dt in y */
    CHECK_X,  /* reject the step if the fluxes in x, or in y, allow only a smaller dt */
    CHECK_Y
};
enum counters { CLIPPED_IN, COUNTERS };

/* SI units. All members have type real: see above. */
struct physics {
    real inv_dx, inv_dy; /* 1/m */
    real g;              /* m/s2 */
    real theta;          /* of the limiter */
    real kappa4;         /* fourth power of the desingularisation depth, m4 */
    real dry;            /* depth below which water stands still, m */
    real film;           /* depth that rounding cannot tell from less than `dry`, m */
    real shallow;  /* depth below which water is not open: film or the desingularisation depth, m */
    real still;    /* the still level, m above the datum: see struct fields */
    real friction; /* g n^2, of Manning's n, where that is the same everywhere */
    real drag;     /* rate of linear friction, 1/s */
    real units;    /* counter units per metre of depth */
    real weight;   /* share of this substep in the full step */
};
#define PHYSICS_REALS (sizeof(struct physics) / sizeof(real))

/* The stored level is close to zero however high the ground lies: eta = w - rest, the surface level above
 * the level at rest, which is the still level or the bed at the cell's centre, whichever is higher. On ground
 * above the still level eta is the depth; a dry cell below it has eta = bed - still < 0. */
struct fields {
    real *eta, *hu, *hv; /* m; discharges, m2/s */
};

/* Bed levels, m above the run's datum, multiples of a power of two such that sums of four of them are
 * exact (core/problem/initial_state.h). */
struct ground {
    const real *corner, *centre; /* of cells: the mean of the four corners */
};

/* Time, on the device, so that the host need not wait for a step. */
struct clock {
    double t; /* reached by the step under way, s */
    double dt, dt_min, dt_max;
    double t_end;             /* the last step is shortened to meet it */
    double t_pause;           /* the first step to reach it is the last before a pause */
    double courant, fixed_dt; /* fixed_dt > 0 replaces the Courant rule */
    double dt_factor;         /* r of the split schemes: share of the last dt_y to try */
    double dt_x, dt_y;        /* largest steps that the last fluxes in x and y allowed */
    double dt_cap;            /* no step longer than this after a rejected one */
    double dt_forced;  /* nor longer than this with forcing, which alone makes waves too fast */
    double dt_at_rest; /* nor than this plus the time so far: slopes move water at rest */
    double dt_most;    /* nor than this, for the values that edges impose in it: see series.cu */
    double dt_free;    /* the last step without that bound; 0: unknown */
    unsigned long steps, step_limit, redone, early_exits;
    unsigned long overlong;   /* steps of fixed_dt that the Courant rule would not allow */
    unsigned long rejections; /* of the step under way, in a row */
    unsigned long map_age;    /* steps since the last one that kept the map of active blocks */
    struct {                  /* what a rejected step restores */
        double t, dt_min, dt_max;
        unsigned long steps;
        counter counters[COUNTERS];
    } start;
    float dt_single;
    unsigned halt;     /* enum halt; kernels do nothing while it is not RUNNING */
    unsigned rejected; /* the step under way is rejected: nothing is integrated until the next */
    unsigned planned;  /* the step must be exactly dt_most long: edges impose means over it */
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

/* Blocks that need not be computed. The flux and time-integration kernels of a scheme share this and must have
 * the same blocks. */
struct wetness {
    bits *active;      /* per block: not zero if something there moved in the step last mapped */
    int *skip;         /* per block: this step leaves it out */
    int *list, *count; /* the others, in any order, and how many they are */
};

#ifdef WITH_TRACER
/* What a tracer adds to a kernel's arguments, before its physics: c in the kernel's states and rates
 * (num/tracer.h). */
struct tracer_args {
    real *base, *from,
        *to;          /* at the start of the step; in the state read, and in the one written */
    real *r, *r2;     /* rates of change from the fluxes */
    real *rim[EDGES]; /* out: what crosses the domain's edges, m2/s times c, or null */
    const real *eta, *centre; /* the state and its bed, for kernels that have neither */
    const real *given;        /* c of what edges impose, of every segment */
    counter *clipped;         /* [2]: h c that clipping added, in total and in a tried step */
    float scale;              /* of c in these counters: a power of two */
};
#endif /* WITH_TRACER */

struct flux_args {
    struct span span;
    long pitch, bed_pitch;
    struct fields q, r; /* state in; net rate of change out, per second */
    struct ground ground;
    bits *block_speed; /* out, a pattern per block: largest |u|+c over the cell size, 1/s */
    real *rim[EDGES];  /* out: mass flux through the domain's edges, or null */
    int rim_add;       /* add to what is there */
    struct wetness wet;
    const struct clock *clock;
#ifdef WITH_TRACER
    struct tracer_args carried;
#endif /* WITH_TRACER */
    ALIGN8 struct physics p;
};

struct rk_args {
    struct span span;
    long pitch, to_pitch, bed_pitch;
    struct fields base, from, to; /* base: start of the step, for the second substep */
    struct fields r, r2;          /* r2: from a second flux kernel, if there is one */
    const real *centre;           /* bed at the cells' centres, m */
    const real *roughness; /* g n^2 in every cell, laid out like the bed; null: the same in all */
    unsigned stride;       /* of this update's dither: num/update.h */
    unsigned back; /* steps from the one it belongs to until the last one that the clock counts */
    counter *counters; /* [COUNTERS] */
    int transpose;     /* `to` is stored transposed */
    struct wetness wet;
    const struct clock *clock;
#ifdef WITH_TRACER
    struct tracer_args carried;
#endif /* WITH_TRACER */
    ALIGN8 struct physics p;
};

struct forcing_args {
    struct span span;
    long pitch;
    struct fields force, r; /* what is added to a rate of change */
    const struct clock *clock;
#ifdef WITH_TRACER
    struct tracer_args carried;
#endif /* WITH_TRACER */
    ALIGN8 struct physics p;
};

struct select_args {
    struct span span;         /* blocks of the early-exit kernels */
    int nx, ny;               /* cells of the domain */
    int w, h;                 /* of a block */
    int wall[EDGES];          /* an edge that is not a wall keeps its blocks active, */
    const int *others[EDGES]; /* or those beside its segments: see core/sim/sim.h; may be null */
    struct wetness wet;
    const struct clock *clock;
    ALIGN8 struct physics p;
};

struct clock_args {
    struct span span; /* one block */
    int blocks;       /* whose speeds are reduced */
    const bits *block_speed;
    int task;  /* enum task */
    int steps; /* that one pass through the scheme makes */
    int early_exit;
    counter *counters;
    struct clock *clock;
    ALIGN8 struct physics p;
};

struct inflow_args {
    struct span span; /* positions on the rim, as above */
    int nx, ny;
    const real *rim; /* mass flux through each, m2/s, in the direction of the axis */
    double *sum;     /* net inflow through each so far, m2 */
    double *lost;    /* what rounding took from it */
    const struct clock *clock;
    ALIGN8 struct physics p;
};

struct compare_args {
    struct span span; /* of both arrays, rows without gaps between them */
    const real *got, *want;
    bits *difference, *size; /* out, a pattern per block: largest |got - want|, largest |want| */
    ALIGN8 struct physics p;
};

#endif
