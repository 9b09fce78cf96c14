/* A case: a flow given by formulas. Each has a file in verification/cases; NAME.c defines `const
 * struct flow_case case_NAME` (hyphens in the name become underscores in the symbol). */
#ifndef SHOAL_CASE_H
#define SHOAL_CASE_H

#include "kernels/host_args.h" /* enum edge */
#include "kernels/edges.h"     /* enum boundary */
#include "kernels/system.h"

struct verification; /* verification/run/verify.h */

struct flow {
    double w, u, v; /* surface level m, velocities m/s */
};

/* The values that an edge imposes, in the order of its system's unknowns: exchanging x and y, and
 * mirroring, act on them as on the unknowns. */
struct edge_state {
    union {
        double of[UNKNOWNS];
        /* Of water: DISCHARGE (hu or hv), DEPTH (h), LEVEL (h: of the surface), STATE (all), or
         * with an option WAVE (h: above still water), m and m2/s; discharges are positive along
         * the axes. And the inflow's tracer concentration c. */
        struct {
            double h, hu, hv, c;
        };
        /* Of SUPPLY: sand, mud; of LOSS: both together, below 0; m2/s into the domain. */
        struct {
            double none, in[2];
        };
    };
    double calm; /* of WAVE: the level of still water there, m; set when the problem is opened */
};

/* Constant source terms of water's unknowns, per second: rain, or the terms that make a chosen flow
 * a solution. In the order of the system's unknowns. */
struct forcing {
    union {
        double of[UNKNOWNS];
        struct {
            double w, hu, hv; /* m/s, m2/s2 */
        };
    };
};

struct flow_case {
    const char *name, *title, *cite;
    const char *system;      /* the system that it belongs to; null: shallow_water */
    int nx, ny;              /* default size, cells; ny = 1: a channel, of one row at any nx */
    double lx, ly;           /* extent, m */
    double x0, y0;           /* lower left corner, m */
    double t_end;            /* s */
    double gravity, manning; /* m/s2, s/m^(1/3) */
    double drag;             /* rate of linear friction, 1/s */
    double kappa;            /* desingularisation depth, m, at default size; 0: by the rule */
    int kappa_scales;        /* kappa grows with the cell size */
    enum boundary boundary[EDGES];
    struct edge_state edge[EDGES];

    /* For a system without a bed, instead of bed and water: initial value of unknown number k at a
     * point (the solver samples cell centres). */
    double (*value)(double x, double y, int k);
    /* For its system, in the order of the table: given field number k at a point; given numbers. */
    double (*given)(double x, double y, int k);
    double constant[CONSTANTS];
    /* Optional: source term of conserved quantity k at a point, per area and second. */
    double (*added)(double x, double y, int k);
    /* Optional: the exact solution, unknown number k. */
    double (*exact_value)(double x, double y, double t, int k);
    /* The rise of the unknowns from the west to the east, and from the south to the north, where
     * these are periodic. */
    double rise[2][UNKNOWNS];
    /* The range along an edge to which `boundary` applies; the rest is a wall. Both 0: all of it. */
    struct {
        double from, to; /* m */
    } reach[EDGES];

    /* Bed level at a point (the solver samples cell corners), m. */
    double (*bed)(double x, double y);
    /* The initial water at a point (the solver samples cell centres). The point is dry unless
     * the level is above the bed. Null: the exact solution. */
    struct flow (*initial)(double x, double y);
    /* Optional: a rectangle with all of that water, m; all 0: it may be anywhere. Starting is then
     * fast, because formulas of water are not evaluated where it cannot be. */
    struct {
        double west, east, south, north;
    } wet;
    int jumps; /* the initial level jumps: cells across a jump take the mean over their area */

    /* Optional, for a case of the system tracer: c at a point, at time 0 and, with `exact`, at any. */
    double (*tracer)(double x, double y, double t);

    /* Optional: source terms at a point (the solver samples cell centres). */
    struct forcing (*forcing)(double x, double y);

    /* Optional: the exact solution at any time; with `tends`, the final steady flow. */
    struct flow (*exact)(double x, double y, double t);
    int tends;

    const struct verification *verify; /* what `shoal verify` checks; null: nothing */
};

/* The initial water of a case. */
static inline struct flow case_start(const struct flow_case *c, double x, double y)
{
    return c->initial ? c->initial(x, y) : c->exact(x, y, 0);
}

/* For `bed`: level ground at 0. Starting is faster than with a formula of its own. */
double flat_bed(double x, double y);

#endif
