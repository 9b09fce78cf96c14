/* The output file of a run: maps, maxima, gauges, sections and the balance; what goes into it, and when. */
#ifndef SHOAL_RESULT_H
#define SHOAL_RESULT_H

#include "core/base/job_queue.h"
#include "core/problem/problem.h"
#include "core/sim/sim.h"

struct result;

/* Opens config->output, or does nothing (and *out is null) if the run has none. From then on until
 * result_finish only the thread `b` writes; it must outlive the result. */
enum err result_open(struct result **out, struct sim *s, const struct problem *p,
                     struct job_queue *b, const char *command_line);

/* Global attributes that say what was computed, with what, and how: for any file that a run writes. */
enum err result_describe(struct ncwriter *w, struct sim *s, const struct problem *p,
                         const char *command_line);

/* Appends the state as it is now. The file is written while the run goes on: what fails there shows here or
 * later. Accepts null. */
enum err result_record(struct result *r);

/* Appends the volumes as they are now, unless that was done at this time. Accepts null. */
enum err result_balance(struct result *r);

/* The same for what has passed the sections; does nothing where there are none. */
enum err result_sections(struct result *r);

/* What tells this run's files from another's, before any of the functions below. Accepts null. */
enum err result_mark(struct result *r, const char *mark);

/* Puts a copy of all that was recorded so far at `path`, unless the last one has as much, and counts its
 * rows. */
enum err result_keep(struct result *r, const char *path, size_t rows[SERIES]);

/* Begins with the rows that such a copy has up to now, which must be so many, in place of what was recorded
 * since result_open. Where the file does not have them, that fails with ERR_INPUT, and the output begins
 * here. */
enum err result_take(struct result *r, const char *path, const size_t rows[SERIES]);

/* Fails with ERR_USAGE where a file of the same run has more than this run will write in its place. */
enum err result_check_replaced(struct result *r, const char *path);

/* The same at the end, with the maxima and what is known then; puts the file in its place. Accepts null;
 * nothing can be recorded afterwards. */
enum err result_finish(struct result *r, const struct balance *b);

/* Frees it, and deletes what is not yet in its place. */
void result_discard(struct result **out);

#endif
