/* The output file of a run: maps, maxima, gauges, sections and the balance; its content, and when
 * it is written. */
#ifndef SHOAL_RESULT_H
#define SHOAL_RESULT_H

#include "core/base/job_queue.h"
#include "core/problem/problem.h"
#include "core/sim/sim.h"

struct result;

/* Opens config->output; does nothing (and *out is null) if the run has none. Until result_finish
 * only thread `b` writes; it must outlive the result. */
enum err result_open(struct result **out, struct sim *s, const struct problem *p,
                     struct job_queue *b, const char *command_line);

/* Global attributes that say what was computed, with what, and how: for any file that a run writes. */
enum err result_describe(struct ncwriter *w, struct sim *s, const struct problem *p,
                         const char *command_line);

/* Appends the present state. The file is written while the run continues: a failure shows here or
 * later. Accepts null. */
enum err result_record(struct result *r);

/* Appends the present volumes, unless done at this time. Accepts null. */
enum err result_balance(struct result *r);

/* The same for the flow through sections; does nothing if there are none. */
enum err result_sections(struct result *r);

/* Sets the identity of this run's files, before any of the functions below. Accepts null. */
enum err result_mark(struct result *r, const char *mark);

/* Copies all records so far to `path`, unless the last copy has the same, and returns their
 * numbers of rows. */
enum err result_keep(struct result *r, const char *path, size_t rows[SERIES]);

/* Begins with the rows of such a copy up to now, whose numbers must be these, instead of those
 * recorded since result_open. If the file lacks them, fails with ERR_INPUT, and the output
 * begins here. */
enum err result_take(struct result *r, const char *path, const size_t rows[SERIES]);

/* Fails with ERR_USAGE if it would replace a file of the same run that has more than this run will
 * write. */
enum err result_check_replaced(struct result *r, const char *path);

/* Finishes the file with the maxima and final attributes; puts it in place. Accepts null; nothing
 * can be recorded afterwards. */
enum err result_finish(struct result *r, const struct balance *b);

/* Frees it, and deletes files that are not yet in place. */
void result_discard(struct result **out);

#endif
