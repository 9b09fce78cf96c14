/* The verbatim rows of an environment's files, for digesting each measurement. */
#ifndef SHOAL_RAW_ROWS_H
#define SHOAL_RAW_ROWS_H

#include "core/base/sha256.h"
#include "core/db/tuning_db.h"

/* A row. Its texts belong to the struct db_lines that it is in. */
struct db_line {
    const char *table; /* of its environment: "rk0/circular-dam-64x64-f32", whichever file has it */
    const char *names; /* of the columns, as the file's first line has them */
    const char *text;
    char session[DB_SESSION + 1];
};

struct db_lines {
    struct db_line *at;
    size_t count;
    struct db_text *text; /* of the files, cut into lines */
};

/* Adds the rows of a file, given by its place relative to the environment's folder and its text, of
 * which it takes ownership, also on failure. Skips lines without a session: the check reports them. */
enum err db_lines_add(struct db_lines *l, const char *relative, char *text);

/* Adds all files of an environment. */
enum err db_lines_read(struct db_lines *l, const char *folder);
void db_lines_free(struct db_lines *l);

/* By session, then table, names and text, each by byte: the canonical order. */
void db_lines_sort(struct db_lines *l);

/* The order of two rows. */
int db_line_order(const void *a, const void *b);

/* Finds the first of a session's sorted rows, and their number. */
const struct db_line *db_lines_of(const struct db_lines *l, const char *session, size_t *count);

/* SHA-256 of rows of one session, sorted: of each table the lines `table NAME` and `names COLUMNS`,
 * then each row, every line with its end. Where the rows stand in a file, and in which, does not count. */
void db_lines_digest(const struct db_line *first, size_t count, char hex[SHA256_DIGITS + 1]);

/* Removes a session's rows from all files of an environment; deletes files that become empty. */
enum err db_lines_remove(const char *folder, const char *session);

/* The length of the part of a file's name that names its table: a split table's part ends in
 * `.SESSION.tsv` instead of `.tsv`. */
int db_table_name(const char *file);

#endif
