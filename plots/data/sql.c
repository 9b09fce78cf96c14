/* SQLite in memory: the program writes, anybody may query. */
#include "plots/data/sql.h"

#ifdef HAVE_SQLITE

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "plots/data/sql_parts.h"

enum {
    STEPS_AT_ONCE = 10000,
    MOST_ROWS = 2000000,
    LONGEST_TEXT = 1 << 20,
};

struct sql {
    sqlite3 *db;
    sqlite3_stmt *insert; /* of the table that rows are added to */
    int columns;          /* of it */
    long steps, left;     /* of a query */
    const char *refused;  /* the forbidden action that it tried */
    size_t place;         /* position of the error */
};

static enum err failed(const struct sql *s)
{
    FAIL(MACHINE, "SQLite: %s", sqlite3_errmsg(s->db));
}

/* Counts steps, and ends a query that takes too many. */
static int count_steps(void *context)
{
    struct sql *s = context;
    s->left -= STEPS_AT_ONCE;
    return s->left < 0;
}

enum err sql_open(struct sql **opened)
{
    struct sql *s = calloc(1, sizeof *s);
    *opened = s;
    if (!s)
        FAIL(MEMORY, "no memory for the tables of queries");
    s->steps = SQL_STEPS;
    const int code = sqlite3_open_v2(":memory:", &s->db,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
                                         SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX,
                                     NULL);
    enum err e = code || sql_functions_add(s->db) ? failed(s) : ERR_OK;
    if (!e) {
        /* "word" is a column, and nothing else. */
        sqlite3_db_config(s->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
        sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        sqlite3_limit(s->db, SQLITE_LIMIT_ATTACHED, 0);
        sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, LONGEST_TEXT);
        e = sql_run(s, "PRAGMA temp_store = MEMORY; PRAGMA journal_mode = OFF");
    }
    if (e) {
        sql_close(s);
        *opened = NULL;
    }
    return e;
}

void sql_close(struct sql *s)
{
    if (s)
        sqlite3_close(s->db);
    free(s);
}

size_t sql_place(const struct sql *s)
{
    return s->place;
}

void sql_limit(struct sql *s, long steps)
{
    s->steps = steps;
}

enum err sql_run(struct sql *s, const char *statements)
{
    return sqlite3_exec(s->db, statements, NULL, NULL, NULL) ? failed(s) : ERR_OK;
}

const char *sql_quoted(const char *name, char quoted[SQL_NAME])
{
    sqlite3_snprintf(SQL_NAME, quoted, "\"%w\"", name);
    return quoted;
}

enum err sql_into(struct sql *s, const char *table, int columns)
{
    char text[8192];
    size_t n = (size_t)snprintf(text, sizeof text, "INSERT INTO %s VALUES (?", table);
    for (int k = 1; k < columns && n + 4 < sizeof text; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, ",?");
    strcat(text, ")");
    s->columns = columns;
    TRY(sql_run(s, "BEGIN"));
    return sqlite3_prepare_v2(s->db, text, -1, &s->insert, NULL) ? failed(s) : ERR_OK;
}

enum err sql_add(struct sql *s, const struct sql_value *row)
{
    for (int k = 0; k < s->columns; k++) {
        const int code =
            row[k].text ? sqlite3_bind_text(s->insert, k + 1, row[k].text, -1, SQLITE_STATIC)
            : isnan(row[k].number) ? sqlite3_bind_null(s->insert, k + 1)
                                   : sqlite3_bind_double(s->insert, k + 1, row[k].number);
        if (code)
            return failed(s);
    }
    const int done = sqlite3_step(s->insert);
    sqlite3_reset(s->insert);
    return done == SQLITE_DONE ? ERR_OK : failed(s);
}

enum err sql_done(struct sql *s, enum err e)
{
    sqlite3_finalize(s->insert);
    s->insert = NULL;
    const int code = sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL);
    return e ? e : code ? failed(s) : ERR_OK;
}

/* Queries may only read, and call functions without side effects. */
static int allow(void *context, int action, const char *a, const char *b, const char *c,
                 const char *d)
{
    static const char *const forbidden[] = {"load_extension", "fts3_tokenizer", NULL};
    struct sql *s = context;
    (void)a, (void)c, (void)d;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        for (int k = 0; forbidden[k]; k++)
            if (b && strcmp(b, forbidden[k]) == 0) {
                s->refused = forbidden[k];
                return SQLITE_DENY;
            }
        return SQLITE_OK;
    case SQLITE_ATTACH:
    case SQLITE_DETACH:
        s->refused = "ATTACH";
        return SQLITE_DENY;
    case SQLITE_PRAGMA:
        s->refused = "PRAGMA";
        return SQLITE_DENY;
    default:
        s->refused = "anything else";
        return SQLITE_DENY;
    }
}

static enum err explain(struct sql *s, const char *query)
{
    char text[SQL_MESSAGE];
    const int at = sqlite3_error_offset(s->db);
    if (s->refused)
        FAIL(USAGE, "queries only read, with one SELECT: %s is not allowed", s->refused);
    s->place = at > 0 ? (size_t)at : 0;
    sqlite3_set_authorizer(s->db, NULL, NULL);
    sql_explain(s->db, query, text);
    FAIL(USAGE, "%s", text);
}

static enum err bind_names(sqlite3_stmt *stmt, const struct sql_names *known)
{
    for (int k = 1; k <= sqlite3_bind_parameter_count(stmt); k++) {
        const char *name = sqlite3_bind_parameter_name(stmt, k);
        struct sql_value v = {NULL, (double)NAN};
        if (!name || *name != ':' || !known)
            FAIL(USAGE, "'%s' has no value here", name ? name : "?");
        TRY(known->find(known->context, name + 1, &v));
        if (v.text)
            sqlite3_bind_text(stmt, k, v.text, -1, SQLITE_TRANSIENT);
        else if (!isnan(v.number))
            sqlite3_bind_double(stmt, k, v.number);
    }
    return ERR_OK;
}

static enum err add_row(sqlite3_stmt *stmt, struct rowset *a)
{
    if (a->rows == MOST_ROWS)
        FAIL(USAGE, "the answer has more than %d rows: group them, or ask for fewer", MOST_ROWS);
    TRY(rowset_add_row(a));
    for (int k = 0; k < a->columns; k++) {
        const int type = sqlite3_column_type(stmt, k);
        if (type == SQLITE_NULL)
            continue;
        if (type == SQLITE_TEXT || type == SQLITE_BLOB) {
            const unsigned char *text = sqlite3_column_text(stmt, k);
            TRY(rowset_set_text(a, k, text ? (const char *)text : ""));
        } else if (isfinite(sqlite3_column_double(stmt, k)))
            TRY(rowset_set_number(a, k, sqlite3_column_double(stmt, k)));
    }
    return ERR_OK;
}

static enum err take_rows(struct sql *s, sqlite3_stmt *stmt, const char *query, struct rowset *a)
{
    int code;
    TRY(rowset_create(a, sqlite3_column_count(stmt)));
    for (int k = 0; k < a->columns; k++)
        TRY(rowset_name(a, k, sqlite3_column_name(stmt, k)));
    while ((code = sqlite3_step(stmt)) == SQLITE_ROW)
        TRY(add_row(stmt, a));
    if (code == SQLITE_INTERRUPT)
        FAIL(USAGE,
             "the query was stopped after %ld million steps: join by more columns, or select fewer "
             "rows",
             s->steps / 1000000);
    return code == SQLITE_DONE ? ERR_OK : explain(s, query);
}

static enum err ask(struct sql *s, const char *query, const struct sql_names *known,
                    struct rowset *a)
{
    sqlite3_stmt *stmt = NULL;
    const char *rest = "";
    enum err e = ERR_OK;
    if (sqlite3_prepare_v2(s->db, query, -1, &stmt, &rest))
        return explain(s, query);
    if (!stmt)
        FAIL(USAGE, "expected a query, SELECT ...");
    if (sqlite3_column_count(stmt) == 0)
        e = err_set(ERR_USAGE, __FILE__, __LINE__, "queries only read, with one SELECT");
    else if (rest[strspn(rest, " \t\n;")])
        e = err_set(ERR_USAGE, __FILE__, __LINE__, "expected one query, got another: '%.60s'",
                    rest);
    if (!e)
        e = bind_names(stmt, known);
    if (!e)
        e = take_rows(s, stmt, query, a);
    sqlite3_finalize(stmt);
    return e;
}

enum err sql_ask(struct sql *s, const char *query, const struct sql_names *names, struct rowset *a)
{
    *a = (struct rowset){0};
    s->refused = NULL;
    s->place = 0;
    s->left = s->steps;
    sqlite3_set_authorizer(s->db, allow, s);
    sqlite3_progress_handler(s->db, STEPS_AT_ONCE, count_steps, s);
    const enum err e = ask(s, query, names, a);
    sqlite3_progress_handler(s->db, 0, NULL, NULL);
    sqlite3_set_authorizer(s->db, NULL, NULL);
    if (e)
        rowset_free(a);
    return e;
}

#endif
