/* The journal of a running tuning: appends every result to a file at once, so that a killed tuning
 * resumes without loss and measures nothing twice. */
#ifndef SHOAL_JOURNAL_H
#define SHOAL_JOURNAL_H

#include "experiments/tuner/trial.h"

struct journal;

/* What a tuning must have in common with one that it resumes. */
struct journal_head {
    char session[DB_SESSION + 1], environment[DB_HASH + 1];
    /* Program, kernels, case, size, precision, mode, plug-ins, strategy: one line. Records are the
     * program's own memory layout, which no other can read. */
    char what[DB_VALUE + 1];
};

/* Starts a journal in the cache's folder, under a new session's name (eight random hexadecimal
 * digits), and locks it. `head->session` is filled in. Processes forked from here on share the lock:
 * nobody resumes before the last of them has ended, too. */
enum err journal_create(struct journal **j, struct journal_head *head);

/* Opens and locks the latest unfinished journal with the same environment and `what` that no other
 * process holds, and fills in `head->session`; *j is NULL, without an error, if there is none. Read
 * it before appending. */
enum err journal_resume(struct journal **j, struct journal_head *head);

/* Appends the current state of a trial (without its path, which the cache has, and its handle), and
 * writes it before returning. */
enum err journal_keep(struct journal *j, const struct trial *t);

/* Reads a resumed journal: each trial once, `most` at most, in its latest state. Kernel and block
 * of a trial's recipe are set, the rest of the recipe is not. Everything from a truncated or
 * damaged record on is dropped with a warning, to be measured again. */
enum err journal_read(struct journal *j, struct trial *all, int most, int *count);

/* Closes it; `finished` deletes the file. Accepts NULL. */
void journal_close(struct journal *j, int finished);

#endif
