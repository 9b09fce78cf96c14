/* What a system without a bed is given besides its unknowns: coefficients, numbers, and what options give of its start. */
#ifndef SHOAL_PROBLEM_COEFFICIENTS_H
#define SHOAL_PROBLEM_COEFFICIENTS_H

#include "core/problem/problem.h"

/* Settles `given` and `value` of the setup's source, and its constants: options win over a file or a case. Fails on what is
 * missing, or out of its range. Nothing where the system is given nothing. */
enum err coefficients_choose(struct problem *p);

/* Takes the run's input, a raster, for the first unknown. */
enum err coefficients_read_floor(struct problem *p, const struct config *c);

void coefficients_free(struct coefficients *c); /* accepts a zeroed or freed struct */

#endif
