/* Messages for queries that SQLite rejects: the position, and the existing columns and tables. */
#include "plots/data/sql_parts.h"

#ifdef HAVE_SQLITE

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/registry/registry.h"

enum { NAMES = 512 };

/* Does a text contain a name as a word? */
static int names(const char *text, const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const size_t n = strlen(name);
    for (const char *p = text; (p = strstr(p, name)) != NULL; p += n)
        if ((p == text || !strchr(letters, p[-1])) && (!p[n] || !strchr(letters, p[n])))
            return 1;
    return 0;
}

/* Lists what the program knows. */
typedef void each_row(sqlite3_stmt *row, void *context);
static void look_for_rows(sqlite3 *db, const char *query, const char *parameter, each_row *each,
                          void *context)
{
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(db, query, -1, &stmt, NULL) == SQLITE_OK) {
        if (parameter)
            sqlite3_bind_text(stmt, 1, parameter, -1, SQLITE_STATIC);
        while (sqlite3_step(stmt) == SQLITE_ROW)
            each(stmt, context);
    }
    sqlite3_finalize(stmt);
}

struct hint {
    sqlite3 *db;
    const char *query;
    char *text;
    size_t used;
    char *name[NAMES];
    int count;
};

static void hint(struct hint *h, const char *before, const char *more)
{
    if (h->used < SQL_MESSAGE)
        h->used += (size_t)snprintf(h->text + h->used, SQL_MESSAGE - h->used, "%s%s", before, more);
}

static void hint_column(sqlite3_stmt *row, void *context)
{
    hint(context, " ", (const char *)sqlite3_column_text(row, 0));
}

static void hint_table(sqlite3_stmt *row, void *context)
{
    struct hint *h = context;
    const char *name = (const char *)sqlite3_column_text(row, 0);
    if (!names(h->query, name))
        return;
    hint(h, "; the columns of ", name);
    hint(h, "", ":");
    look_for_rows(h->db, "SELECT name FROM pragma_table_info(?)", name, hint_column, h);
}

static void collect_name(sqlite3_stmt *row, void *context)
{
    struct hint *h = context;
    if (h->count < NAMES)
        h->name[h->count++] = strdup((const char *)sqlite3_column_text(row, 0));
}

static void hint_near(struct hint *h, const char *typed)
{
    look_for_rows(h->db, "SELECT name FROM sqlite_schema", NULL, collect_name, h);
    const char *known[NAMES];
    for (int k = 0; k < h->count; k++)
        known[k] = h->name[k];
    const char *near = nearest_name(typed, known, h->count);
    if (near) {
        hint(h, "; did you mean '", near);
        hint(h, "", "'?");
    }
    hint(h, "", "; `shoal db sql --tables` lists the tables");
    for (int k = 0; k < h->count; k++)
        free(h->name[k]);
}

void sql_explain(sqlite3 *db, const char *query, char text[SQL_MESSAGE])
{
    static const char column[] = "no such column: ", table[] = "no such table: ";
    char said[512], place[64];
    struct hint h = {.db = db, .query = query, .text = text};
    snprintf(said, sizeof said, "%s", sqlite3_errmsg(db));
    const int at = sqlite3_error_offset(db);
    hint(&h, "", said);
    if (at >= 0) {
        const int length = (int)strcspn(query + at, "\n");
        snprintf(place, sizeof place, " at '%.*s'", length < 40 ? length : 40, query + at);
        hint(&h, "", place);
    }
    if (strncmp(said, column, sizeof column - 1) == 0)
        look_for_rows(db,
                      "SELECT name FROM temp.sqlite_schema UNION SELECT name FROM sqlite_schema",
                      NULL, hint_table, &h);
    if (strncmp(said, table, sizeof table - 1) == 0)
        hint_near(&h, said + sizeof table - 1);
    if (strstr(said, "syntax error") && names(query, "case"))
        hint(&h, "; put a column whose name is an SQL keyword in double quotes: ", "\"case\"");
}

#endif
