/* Operators of the fused schemes: a substep is one kernel, and a step tries a dt before it is known to be
 * allowed (kernels/clock_ahead.cu). */
#ifndef SHOAL_FUSED_H
#define SHOAL_FUSED_H

#include "schemes/operators.h"

/* Allocates the device's state of the tried step; and what a scheme in two kernels needs besides. Call from setup. */
enum err ahead_create(struct sim *s);
enum err fused_setup(struct sim *s);

/* One substep: advances `from` into `to`; the second one averages with `base`. */
struct fused_substep {
    int kernel;         /* index into the scheme's list */
    int from, base, to; /* states */
    double clip_share;  /* share of the volume clipped here that remains after the step */
};
enum err fused_advance(struct sim *s, const struct fused_substep *how);

/* After the first substep, by kernel `first`: accepts or rejects the step, and chooses the next dt
 * to try. */
enum err check_time_step(struct sim *s, int first);

#endif
