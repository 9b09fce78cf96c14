/* The output file of a run: what goes into it, and when. */
#ifndef SHOAL_RESULT_H
#define SHOAL_RESULT_H

#include "core/problem.h"

struct result;

/* Opens config->output, or does nothing (and *out is null) if the run has none. */
enum err result_open(struct result **out, struct sim *s, const struct problem *p,
                     const char *command_line);

/* Appends the state as it is now. Accepts null. */
enum err result_record(struct result *r, struct sim *s);

/* Adds what is known at the end and puts the file in its place. Accepts null; frees *r. */
enum err result_finish(struct result **r, struct sim *s, const struct balance *b);
void result_discard(struct result **r);

#endif
