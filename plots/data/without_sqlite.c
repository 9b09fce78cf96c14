/* Replaces the SQL functions in a build without SQLite. */
#include "plots/data/sql.h"

#ifndef HAVE_SQLITE

#define ABSENT_SQLITE                                                                            \
    "this program is built without SQLite, which queries and figures need: on Debian or Ubuntu " \
    "apt-get install libsqlite3-dev, then make"

enum err sql_open(struct sql **opened)
{
    *opened = NULL;
    FAIL(ABSENT, ABSENT_SQLITE);
}

void sql_close(struct sql *s)
{
    (void)s;
}

size_t sql_place(const struct sql *s)
{
    (void)s;
    return 0;
}

void sql_limit(struct sql *s, long steps)
{
    (void)s, (void)steps;
}

enum err sql_run(struct sql *s, const char *statements)
{
    (void)s, (void)statements;
    FAIL(ABSENT, ABSENT_SQLITE);
}

enum err sql_into(struct sql *s, const char *table, int columns)
{
    (void)s, (void)table, (void)columns;
    FAIL(ABSENT, ABSENT_SQLITE);
}

enum err sql_add(struct sql *s, const struct sql_value *row)
{
    (void)s, (void)row;
    FAIL(ABSENT, ABSENT_SQLITE);
}

enum err sql_done(struct sql *s, enum err e)
{
    (void)s;
    return e;
}

enum err sql_ask(struct sql *s, const char *query, const struct sql_names *names, struct rowset *a)
{
    (void)s, (void)query, (void)names, (void)a;
    FAIL(ABSENT, ABSENT_SQLITE);
}

const char *sql_quoted(const char *name, char quoted[SQL_NAME])
{
    (void)quoted;
    return name;
}
#endif
