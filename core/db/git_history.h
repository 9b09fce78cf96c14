/* The history of a tuning database in git: every row and record ever committed. */
#ifndef SHOAL_GIT_HISTORY_H
#define SHOAL_GIT_HISTORY_H

#include "core/db/record.h"

/* An environment as it was in any commit. */
struct db_past {
    char environment[2 * DB_NAME + 2]; /* "device/hash" */
    struct db_lines lines;             /* sorted; a row occurs once for each version of its file */
    char (*record)[SHA256_DIGITS + 1];
    size_t records;
};

struct db_history {
    struct db_past *at;
    size_t count;
};

/* All ancestors of HEAD. Fails with ERR_ABSENT if the folder is in no repository, or in a shallow
 * clone. */
enum err db_history_read(const char *folder, struct db_history *h);
void db_history_free(struct db_history *h);

/* The rows of a session that were once committed and are now missing, each once; they borrow their
 * texts. `now` is sorted. */
enum err db_history_gone(const struct db_past *past, const struct db_lines *now,
                         const char *session, struct db_lines *gone);

/* Reports every record that differs from its committed form, and every missing row without a record
 * that explains it. */
enum err db_history_check(const char *folder, db_report *report, void *context,
                          struct db_checked *sum);

#endif
