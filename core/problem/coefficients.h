/* The input of a system without a bed besides its unknowns: coefficients, numbers, and what options
 * set in its initial state. */
#ifndef SHOAL_PROBLEM_COEFFICIENTS_H
#define SHOAL_PROBLEM_COEFFICIENTS_H

#include "core/problem/problem.h"

/* Sets `given` and `value` of the setup's source, and its constants: options override a file or a
 * case. Fails if one is missing or out of range. Does nothing if the system has none. */
enum err coefficients_choose(struct problem *p);

/* Uses the run's input, a raster, as the first unknown. */
enum err coefficients_read_floor(struct problem *p, const struct config *c);

void coefficients_free(struct coefficients *c); /* accepts a zeroed or freed struct */

#endif
