/* A scheme: what it claims, the kernels it launches, and a step that reads like the paper. */
#ifndef SHOAL_SCHEME_H
#define SHOAL_SCHEME_H

#include "core/base/err.h"

/* At most so many: states, the solution among them, rates of change, kernels, and fillings of ghost cells. */
enum { STATES = 4, RATES = 2, SCHEME_KERNELS = 16, MOST_FILLS = 32 };

struct sim;

struct scheme {
    const char *name, *title, *cite; /* folder name; one line; where it was published */
    const char *system;              /* whose equations it solves: kernels/systems */
    const char *also;                /* a system that extends it and that it solves, too; or NULL */
    int order_space, order_time;     /* claims; tests measure them */
    int ghost;                       /* ghost cells it reads */
    double cfl;                      /* largest stable Courant number it claims */
    double usual_cfl;                /* of a run that gives none; 0: the published one, 0.25 */
    int midpoint; /* one flux evaluation a step, for its middle, which slopes reach: so its order in time is that
                      * of steps that become shorter with the cells; of edges it takes the means of a step */
    int whole;   /* it computes a domain in one piece: no parts, no tiles, no sections */
    int bounded; /* claim: unknowns stay between the bounds of the system's table, at that number */
    int stages;  /* states besides the solution it keeps */
    int rates;   /* rates of change it keeps: 0, 1 or 2 */
    int steps;   /* that one pass makes: 1, or 2 equal ones */
    int fills; /* times that a pass fills ghost cells, at most; 0: not told, see core/sim/apron.h */
    int split; /* x and y in turn: results are not symmetric under transposition */
    const char *clock;          /* the kernel that decides on dt; NULL: "clock" */
    const char *const *kernels; /* names of what it launches, in the order of its enum */
    int on_demand; /* kernels from this index on are compiled when first wanted; 0: none */

    enum err (*setup)(struct sim *); /* optional: own buffers, first time step */
    /* Required: enqueue one pass, of one step or a double step. Without early exit all but the first of
     * a run launch the same kernels with the same arguments: they may be recorded and replayed. */
    enum err (*step)(struct sim *);
    void (*teardown)(struct sim *); /* optional */
};

#endif
