/* The journal of a tuning under way: every result as soon as it is there, appended to a text file, so
 * that a tuning that was killed goes on with nothing lost and nothing measured twice. */
#ifndef SHOAL_JOURNAL_H
#define SHOAL_JOURNAL_H

#include "experiments/tuner/trial.h"

struct journal;

/* What a tuning must have in common with one that it goes on with. */
struct journal_head {
    char session[DB_SESSION + 1], environment[DB_HASH + 1];
    char
        what[DB_VALUE + 1]; /* kernels, case, size, precision, mode, plug-ins, strategy: one line */
};

/* Starts a journal in the cache's folder, under a new session's name (eight random hexadecimal
 * digits), and locks it. `head->session` is filled in. Processes forked from here on share the lock:
 * nobody resumes before the last of them has ended, too. */
enum err journal_create(struct journal **j, struct journal_head *head);

/* Opens and locks the latest unfinished journal with the same environment and `what` that no other
 * process holds, and fills in `head->session`; *j is NULL, which is no error, where there is none. */
enum err journal_resume(struct journal **j, struct journal_head *head);

/* Appends one line, which reaches the system before this returns: what is known of a trial now (all
 * but its path, which the cache tells, and its handle), and of its timings none, or those from number
 * `first` on. */
enum err journal_admitted(struct journal *j, const struct trial *t);
enum err journal_timed(struct journal *j, const struct trial *t, int first);

/* Reads back what a resumed journal holds: calls `found` once for each trial with all that is known of
 * it, in no order that means anything. Kernel and block of the trial's recipe are set, the rest of
 * the recipe is not. A line that was damaged is a warning and is left out. */
enum err journal_read(struct journal *j, enum err (*found)(void *context, const struct trial *t),
                      void *context);

/* Closes it; `finished` deletes the file. Accepts NULL. */
void journal_close(struct journal *j, int finished);

#endif
