/* A run's initial tracer concentration: a number, or one for each cell. */
#ifndef SHOAL_PROBLEM_TRACER_H
#define SHOAL_PROBLEM_TRACER_H

#include "core/problem/problem.h"

/* Sets setup.source.tracer, and p->tracer_of, if the run's system carries one: --tracer overrides a
 * file's, and that a case's own. Fails on a negative concentration. */
enum err tracer_choose(struct problem *p);

/* A file that has a tracer makes the run carry one. Fails with ERR_USAGE if the scheme cannot. */
enum err tracer_extend(struct problem *p, const struct config *c);

#endif
