/* What git knows of a tuning database: every row and every record that was ever committed. */
#ifndef SHOAL_GIT_HISTORY_H
#define SHOAL_GIT_HISTORY_H

#include "core/db/record.h"

/* An environment as it was in any commit. */
struct db_past {
    char environment[2 * DB_NAME + 2]; /* "device/hash" */
    struct db_lines lines;             /* sorted; a row stands once for each version of its file */
    char (*record)[SHA256_DIGITS + 1];
    size_t records;
};

struct db_history {
    struct db_past *at;
    size_t count;
};

/* All commits that HEAD has in its past. Fails with ERR_ABSENT where the folder is in no repository, or in
 * one whose history is cut. */
enum err db_history_read(const char *folder, struct db_history *h);
void db_history_free(struct db_history *h);

/* The rows of a session that were committed once and are not there now, each once; they borrow their
 * texts. `now` is sorted. */
enum err db_history_gone(const struct db_past *past, const struct db_lines *now,
                         const char *session, struct db_lines *gone);

/* Reports every record that is not as it was committed, and every row that is gone without a record that
 * says why. */
enum err db_history_check(const char *folder, db_report *report, void *context,
                          struct db_checked *sum);

#endif
