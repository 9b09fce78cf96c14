/* Operators of the schemes for sediment. */
#ifndef SHOAL_SCHEMES_SEDIMENT_H
#define SHOAL_SCHEMES_SEDIMENT_H

#include "schemes/operators.h"

/* Memory for what comes into cells from outside, and for what steps book. Call from setup. */
enum err sediment_setup(struct sim *s);

/* Begins a step from a state: ghost cells, what edges bring, and dt by what kernel `limit` finds; or, `found`, has found. */
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

/* Whether steps have a fixed length, and nobody looks at each: then a pass makes two of them, from Q to Q1 and back, each
 * by `half`, and kernel `home` brings the solution home where the run has halted in between. What limits a step is found by
 * the one before it, of the run's first by `limit`; so the last one is not compared. */
int sediment_steps_in_pairs(const struct sim *s);
enum err sediment_pair(struct sim *s, enum err (*half)(struct sim *s, int from, int to), int home);

#endif
