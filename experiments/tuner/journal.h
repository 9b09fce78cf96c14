/* The journal of a tuning under way: every result as soon as it is there, appended to a file, so
 * that a tuning that was killed goes on with nothing lost and nothing measured twice. */
#ifndef SHOAL_JOURNAL_H
#define SHOAL_JOURNAL_H

#include "experiments/tuner/trial.h"

struct journal;

/* What a tuning must have in common with one that it goes on with. */
struct journal_head {
    char session[DB_SESSION + 1], environment[DB_HASH + 1];
    /* Program, kernels, case, size, precision, mode, plug-ins, strategy: one line. Records are the program's
     * own memory, which no other can read. */
    char what[DB_VALUE + 1];
};

/* Starts a journal in the cache's folder, under a new session's name (eight random hexadecimal
 * digits), and locks it. `head->session` is filled in. Processes forked from here on share the lock:
 * nobody resumes before the last of them has ended, too. */
enum err journal_create(struct journal **j, struct journal_head *head);

/* Opens and locks the latest unfinished journal with the same environment and `what` that no other
 * process holds, and fills in `head->session`; *j is NULL, which is no error, where there is none. Read it
 * before anything is appended. */
enum err journal_resume(struct journal **j, struct journal_head *head);

/* Appends what is known of a trial now (all but its path, which the cache tells, and its handle); it
 * reaches the system before this returns. */
enum err journal_keep(struct journal *j, const struct trial *t);

/* Reads back what a resumed journal holds: each trial once, `most` at most, as it was kept last. Kernel and
 * block of a trial's recipe are set, the rest of the recipe is not. From a record on that was cut or damaged
 * nothing can be read: with a warning the rest goes, to be measured again. */
enum err journal_read(struct journal *j, struct trial *all, int most, int *count);

/* Closes it; `finished` deletes the file. Accepts NULL. */
void journal_close(struct journal *j, int finished);

#endif
