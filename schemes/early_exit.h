/* Early exit: steps that skip the blocks in which nothing moves, if that is faster. */
#ifndef SHOAL_EARLY_EXIT_H
#define SHOAL_EARLY_EXIT_H

#include "core/sim/sim.h"

/* The scheme's kernels first..last are its early-exit kernels, which must have the same blocks:
 * they share a map. The next one is `select`. Call from setup; does nothing if --early-exit or the
 * run's size rules it out. */
enum err early_exit_setup(struct sim *s, int first, int last);
void early_exit_teardown(struct sim *s);

/* Around each step: sets *use if the step uses the early-exit kernels. */
enum err early_exit_begin(struct sim *s, int *use);
enum err early_exit_end(struct sim *s);

/* The arguments of those kernels, for the current step. */
struct wetness early_exit_wetness(const struct sim *s);

#endif
