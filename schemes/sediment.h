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

/* Nothing samples each step: then a pass makes two of them, from Q to Q1 and back, each by `half`, and
 * kernel `home` copies the solution back if the run has halted in between. */
int sediment_steps_in_pairs(const struct sim *s);
enum err sediment_pair(struct sim *s, enum err (*half)(struct sim *s, int from, int to), int home);

/* Steps have a fixed length, and are made in pairs: then each finds the limit of the next one, and only that of
 * the run's first step takes another kernel; so the last step's result is not compared. */
int sediment_is_fixed(const struct sim *s);

/* Begins one of two steps; kernel `made` has found the limit if steps have a fixed length. */
enum err sediment_begin_half(struct sim *s, int state, int limit, int made);

/* The number that --define gives a switch, or `unset`. */
int sediment_switch(const struct sim *s, const char *name, int unset);

/* Fails if --define gives a switch of sediment a number that it does not have. */
enum err sediment_check_switches(const struct sim *s);

#endif
