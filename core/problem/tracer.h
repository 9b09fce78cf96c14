/* The concentration of a tracer at the start of a run: a number, or one for each cell. */
#ifndef SHOAL_PROBLEM_TRACER_H
#define SHOAL_PROBLEM_TRACER_H

#include "core/problem/problem.h"

/* Settles setup.source.tracer, and p->tracer_of, where the run's system carries one: --tracer wins over what a file
 * has, and that over a case's own. Fails on a concentration that is negative. */
enum err tracer_choose(struct problem *p);

/* A file that has a tracer is of a run with one, where the scheme can carry it. */
enum err tracer_extend(struct problem *p, const struct config *c);

#endif
