/* SQL: SQLite in memory, which answers questions and is changed by the program alone. */
#ifndef SHOAL_SQL_H
#define SHOAL_SQL_H

#include "plots/data/rowset.h"

/* A connection. Where the program is built without SQLite there is none: sql_open says what to install. */
struct sql;

enum err sql_open(struct sql **opened);
void sql_close(struct sql *s); /* accepts NULL */

/* Statements of the program's own, separated by semicolons. */
enum err sql_run(struct sql *s, const char *statements);

/* A cell that goes in: a text, or where there is none a number, where that is NAN nothing (NULL). */
struct sql_value {
    const char *text;
    double number;
};

/* Adds rows to a table, "NAME" or "NAME (COLUMN, ...)": sql_into, sql_add for each row, sql_done, also after a
 * failure. One table at a time. */
enum err sql_into(struct sql *s, const char *table, int columns);
enum err sql_add(struct sql *s, const struct sql_value *row);
enum err sql_done(struct sql *s, enum err e); /* what `e` is, or what went wrong at the end */

/* What :name stands for in a query. Fails with ERR_USAGE where there is no such name. */
struct sql_names {
    void *context;
    enum err (*find)(void *context, const char *name, struct sql_value *v);
};

/* Asks a question that may be anybody's: one SELECT. Nothing else is allowed, neither to write nor to reach
 * files, and what takes too many steps or rows is ended. Besides SQLite's own functions there are
 * median(x), the upper one of two in the middle, low(x) and high(x), the ends of its interval, and
 * quantile(x, share), interpolated. `names` may be NULL.
 * Fails with ERR_USAGE, and a message that lists columns where one is not known. */
enum err sql_ask(struct sql *s, const char *query, const struct sql_names *names, struct rowset *a);

/* Where in the query the last question went wrong, in bytes; 0 where that is not known. */
size_t sql_place(const struct sql *s);

/* How many of SQLite's steps a question may take. */
enum { SQL_STEPS = 500000000 };
void sql_limit(struct sql *s, long steps);

/* A name as it stands in a statement, in double quotes. */
enum { SQL_NAME = 256 };
const char *sql_quoted(const char *name, char quoted[SQL_NAME]);

#endif
