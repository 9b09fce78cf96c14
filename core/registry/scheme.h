/* A scheme: its claims, its kernels, and a step that reads like the paper. */
#ifndef SHOAL_SCHEME_H
#define SHOAL_SCHEME_H

#include "core/base/err.h"

/* The most of each: states, including the solution; rates of change; kernels; fillings of ghost
 * cells. */
enum { STATES = 4, RATES = 2, SCHEME_KERNELS = 16, MOST_FILLS = 32 };

/* The largest Courant number for which kernels share out water: DRAINING_COURANT in kernels/num/draining.h. */
#define DRAINED_MOST 0.45

struct sim;

struct scheme {
    const char *name, *title, *cite; /* folder name; one line; publication */
    const char *system;              /* whose equations it solves: kernels/systems */
    const char *also;                /* a system that extends it and that it also solves; or NULL */
    int order_space, order_time;     /* claims; tests measure them */
    int ghost;                       /* ghost cells it reads */
    int star;         /* claim: it reads none in the corners, beyond two edges at once */
    double cfl;       /* largest stable Courant number it claims */
    double usual_cfl; /* used if the run gives none; 0: the published one, 0.25 */
    double
        drained_cfl; /* the same where faces take no more water than their cells have: --positivity draining; 0: it
                         * does not offer that */
    int midpoint; /* it evaluates fluxes once, for the middle of the step, where slopes lead: its
                   * order in time is that of steps that shrink with the cells */
    int bounded; /* claim: unknowns stay between the bounds of the system's table, at that Courant number */
    int stages; /* states besides the solution it keeps */
    int rates;  /* rates of change it keeps: 0, 1 or 2 */
    int fields; /* of cells that its setup adds, for the count of memory */
    /* One of these, whose ghost cells in other parts and tiles are filled together with the state's; NULL: none. */
    const char *exchanged;
    int steps; /* made by one pass: 1, or 2 equal ones */
    int fills; /* of ghost cells in a pass, at most; 0: not declared, see core/sim/apron.h */
    int split; /* x and y in turn: results are not symmetric under transposition */
    const char *clock;          /* the kernel that chooses dt; NULL: "clock" */
    const char *const *kernels; /* names of those it launches, in the order of its enum */
    int on_demand; /* kernels from this index on are compiled when first needed; 0: none */

    enum err (*setup)(struct sim *); /* optional: own buffers, first time step */
    /* Required: enqueue one pass, of one step or a double step. Without early exit all passes but
     * the first launch the same kernels with the same arguments: they may be recorded and replayed. */
    enum err (*step)(struct sim *);
    /* Optional: enqueues, before passes, the filling of the solution's ghost cells. The kernels of a scheme that has it
     * fill, where compiled for it, those of the states that they write: kernels/own_ghosts.h. */
    enum err (*begin)(struct sim *);
    void (*teardown)(struct sim *); /* optional */
};

#endif
