/* Operators of the fused schemes: a substep is one kernel, and dt is tried before it is known to be
 * right (kernels/clock_ahead.cu). */
#ifndef SHOAL_FUSED_H
#define SHOAL_FUSED_H

#include "schemes/operators.h"

/* The device's memory of the step that is tried. Call from setup. */
enum err fused_setup(struct sim *s);

/* One substep: `to` <- `from` advanced; the second one averages with `base`. */
struct fused_substep {
    int kernel;         /* index into the scheme's list */
    int from, base, to; /* states */
    double clip_share;  /* share of what is clipped here that is still there after the step */
};
enum err fused_advance(struct sim *s, const struct fused_substep *how);

/* After the first substep, by kernel `first`: takes the step or gives it up, and tries the next dt. */
enum err check_time_step(struct sim *s, int first);

#endif
