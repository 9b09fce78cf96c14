/* Arguments of the kernels of MUSCL-Hancock. Separate from args.h, whose text is part of every kernel's
 * hash. */
#ifndef SHOAL_HANCOCK_ARGS_H
#define SHOAL_HANCOCK_ARGS_H

#include "edges.h"
#include "fused.h"

struct hancock_args {
    struct span span;
    long pitch;          /* of the bed, too */
    struct fields q, to; /* state in, ghost cells and corners filled; state out */
    struct fields force; /* with the first ghost cells; null pointers: there is none */
    struct ground ground;
    const real
        *roughness;    /* g n^2 in every cell, with the first ghost cells; null: the same in all */
    const real *rates; /* of the last step (num/rates.h), with the first ghost cells */
    real *new_rates;   /* of this one */
    bits *block_speed; /* out, a pattern per block: largest |u|+c over the cell size, 1/s */
    real *rim[EDGES];  /* out: mass flux through the domain's edges, or null */
    const unsigned short
        *segment[EDGES]; /* as in struct edges_args; null: no edge imposes numbers */
    const int *kind;
    struct ahead *ahead; /* the tried step */
    counter *clipped;    /* [COUNTERS] by it */
    const struct clock *clock;
    struct linked *linked; /* linked_clock.h; null: a launch of its own moves the clock on */
    int place;             /* passes before this one that follow each other so */
    unsigned stride;       /* of this update's dither: num/update.h */
    ALIGN8 struct physics p;
};

/* The step that a block makes. */
struct tried {
    int none;
    double dt;
    float single;
    unsigned long steps; /* before it */
};

FN struct tried no_step(void)
{
    struct tried t;
    t.none = 1;
    t.dt = 0, t.single = 0, t.steps = 0;
    return t;
}

FN struct tried step_ahead(const struct clock *c, const struct ahead *a)
{
    struct tried t;
    t.none = c->halt != RUNNING;
    t.dt = a->dt;
    t.single = a->single;
    t.steps = c->steps;
    return t;
}

/* Arguments of `stay`, which keeps the state of a pass that a rejection or a halt left without a step. */
struct stay_args {
    struct span span;
    long pitch;
    struct fields from, to;
    const real *rates;
    real *new_rates;
    const struct clock *clock;
    struct linked *linked; /* as above */
    int place;             /* of the pass before it */
    ALIGN8 struct physics p;
};

/* Arguments of `corners`: the corners' ghost cells, and those of forcing, roughness and rates. */
struct corners_args {
    struct span
        span;   /* the positions on the rim, as in struct boundary_args; then the four corners */
    long pitch; /* of the bed, too */
    int nx, ny;
    int every[EDGES];                     /* enum boundary of whole edges */
    const unsigned short *segment[EDGES]; /* null: edges are of one kind each */
    const int *kind;
    struct fields q, force;
    real *rates;
    real *roughness;
    const real *centre;
    const struct clock *clock;
    ALIGN8 struct physics p;
};

#endif
