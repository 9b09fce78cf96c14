/* The rows of an environment as they stand in its files, to be digested measurement by measurement. */
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

/* Adds the rows of a file, given by its place relative to the environment's folder and its text, which is
 * taken over, also on failure. Lines that have no session are left out: the check names them. */
enum err db_lines_add(struct db_lines *l, const char *relative, char *text);

/* Adds all files of an environment. */
enum err db_lines_read(struct db_lines *l, const char *folder);
void db_lines_free(struct db_lines *l);

/* By session, then table, names and text, each by byte: the canonical order. */
void db_lines_sort(struct db_lines *l);

/* The order of two rows. */
int db_line_order(const void *a, const void *b);

/* Where the rows of a session begin, once sorted, and how many there are. */
const struct db_line *db_lines_of(const struct db_lines *l, const char *session, size_t *count);

/* SHA-256 of rows of one session, sorted: of each table the lines `table NAME` and `names COLUMNS`,
 * then each row, every line with its end. Where the rows stand in a file, and in which, does not count. */
void db_lines_digest(const struct db_line *first, size_t count, char hex[SHA256_DIGITS + 1]);

/* Takes a session's rows out of all files of an environment; a file that has no others goes. */
enum err db_lines_remove(const char *folder, const char *session);

/* How long the part of a file's name is that names its table: one that was split by measurement ends in
 * `.SESSION.tsv` instead of `.tsv`. */
int db_table_name(const char *file);

#endif
