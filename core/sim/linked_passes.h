/* Passes in a row, of which each judges the step of the one before, so that a step is one launch; only behind the last one a
 * launch of its own judges (kernels/linked_clock.h). A scheme's `step` finds here which pass of the row it makes. */
#ifndef SHOAL_SIM_LINKED_PASSES_H
#define SHOAL_SIM_LINKED_PASSES_H

#include "core/base/err.h"
#include "kernels/host_args.h"

struct sim;
struct linked;

struct linked_passes {
    struct linked *memory; /* on the device; null: each pass judges its own step */
    int place;             /* passes of the row before the one under way */
    int goes_on;           /* one more follows, which judges its step */
    real *odd_rim; /* replaces sim.rim at odd places, as a pass sums the flow of the one before */
};

/* In the setup of a scheme that can: memory, if its kernels move the clock on. */
enum err linked_passes_create(struct sim *s);

/* Whether passes of the run may make a row: nothing looks at the state or the clock between them. */
int passes_may_link(const struct sim *s);

/* Where the kernels of the pass under way leave the flow through the domain's edges; null if no one asks. */
real *rim_written(const struct sim *s);

#endif
