/* Operators of the schemes for sediment. */
#ifndef SHOAL_SCHEMES_SEDIMENT_H
#define SHOAL_SCHEMES_SEDIMENT_H

#include "schemes/operators.h"

/* Allocates memory for inflow into cells, and for the books of steps. Call from setup. */
enum err sediment_setup(struct sim *s);

/* Begins a step from a state: ghost cells, inflow across edges, and dt from the limits that kernel `limit`
 * finds, or, if `found`, has found. */
struct beginning {
    int state, limit, found;
};
enum err sediment_begin(struct sim *s, const struct beginning *b);

/* Kernel `kernel` makes a part of the step, from one state to another. */
struct making {
    int kernel, from, to;
};
enum err sediment_make(struct sim *s, const struct making *m);

/* Ends a step from Q: kernel `take` makes Q1 the solution, and books it. */
enum err sediment_end(struct sim *s, int take);

/* True if steps have a fixed length, and nothing samples each: then a pass makes two of them, from
 * Q to Q1 and back, each by `half`, and kernel `home` copies the solution back if the run has
 * halted in between. Each step finds the limit of the next one, `limit` that of the run's first; so
 * the last step's result is not compared. */
int sediment_steps_in_pairs(const struct sim *s);
enum err sediment_pair(struct sim *s, enum err (*half)(struct sim *s, int from, int to), int home);

#endif
