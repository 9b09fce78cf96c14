/* Operators of the schemes for sediment. */
#ifndef SHOAL_SCHEMES_SEDIMENT_H
#define SHOAL_SCHEMES_SEDIMENT_H

#include "schemes/operators.h"

/* Memory for what comes into cells from outside, and for what steps book. Call from setup. */
enum err sediment_setup(struct sim *s);

/* Begins a step from Q: ghost cells, what edges bring, and dt by what kernel `limit` finds. */
enum err sediment_begin(struct sim *s, int limit);

/* Kernel `which` makes a part of the step, from Q to Q1. */
enum err sediment_make(struct sim *s, int which);

/* Ends it: kernel `take` makes Q1 the solution, and books it. */
enum err sediment_end(struct sim *s, int take);

#endif
