/* SQL: SQLite in memory, which answers queries and is changed only by the program. */
#ifndef SHOAL_SQL_H
#define SHOAL_SQL_H

#include "plots/data/rowset.h"

/* A connection. In a program built without SQLite sql_open fails and says what to install. */
struct sql;

enum err sql_open(struct sql **opened);
void sql_close(struct sql *s); /* accepts NULL */

/* Statements of the program's own, separated by semicolons. */
enum err sql_run(struct sql *s, const char *statements);

/* A cell to add: a text, or if that is NULL a number, or if that is NAN NULL. */
struct sql_value {
    const char *text;
    double number;
};

/* Adds rows to a table, "NAME" or "NAME (COLUMN, ...)": sql_into, sql_add for each row, sql_done, also after a
 * failure. One table at a time. */
enum err sql_into(struct sql *s, const char *table, int columns);
enum err sql_add(struct sql *s, const struct sql_value *row);
enum err sql_done(struct sql *s, enum err e); /* returns `e`, or the error of ending */

/* The value of :name in a query. Fails with ERR_USAGE if there is no such name. */
struct sql_names {
    void *context;
    enum err (*find)(void *context, const char *name, struct sql_value *v);
};

/* Runs an untrusted query: one SELECT, which can neither write nor access files, and is stopped if
 * it takes too many steps or rows. Besides SQLite's own functions there are median(x), the upper
 * one of two in the middle, low(x) and high(x), the ends of its interval, and quantile(x, share),
 * interpolated. `names` may be NULL. Fails with ERR_USAGE; for an unknown column the message lists
 * the columns. */
enum err sql_ask(struct sql *s, const char *query, const struct sql_names *names, struct rowset *a);

/* The byte position of the last query's error; 0 if unknown. */
size_t sql_place(const struct sql *s);

/* How many of SQLite's steps a query may take. */
enum { SQL_STEPS = 500000000 };
void sql_limit(struct sql *s, long steps);

/* A name quoted for a statement, in double quotes. */
enum { SQL_NAME = 256 };
const char *sql_quoted(const char *name, char quoted[SQL_NAME]);

#endif
