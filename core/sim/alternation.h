/* A run by two schemes in turns: the chosen one, and another of the same equations with early
 * exit, wherever that is faster (thesis 4.4.2). Both step the same solution by the same clock. */
#ifndef SHOAL_SIM_ALTERNATION_H
#define SHOAL_SIM_ALTERNATION_H

#include "core/sim/sim.h"

/* Decides whether the run alternates; needs a sim that knows its scheme, its parts and the
 * layout of rows. Timing decides which scheme makes a step, and so the bits: never in strict
 * mode, nor in a run that is to be resumed. */
enum err alternation_choose(struct sim *s);

/* The same for a part of such a run; then what the other scheme needs, of a sim that has its own
 * arrays. */
enum err alternation_inherit(struct sim *s);
enum err alternation_create(struct sim *s);
void alternation_destroy(struct sim *s);

/* One pass, by either scheme. */
enum err alternation_step(struct sim *s);

/* In a pass of the other scheme: the previous pass was not one of its own. False in any other
 * run. */
int alternation_resumes(const struct sim *s);

/* The most rates of change that a scheme of the run keeps. */
int alternation_rates(const struct sim *s);

/* Name of what computes the run: "rk2", or "ds2+rk2". */
void alternation_name(const struct sim *s, char *text, size_t n);

#endif
