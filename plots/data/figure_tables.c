/* Makes a figure's tables: runs the queries of [data], and finds where the rows are from. */
#include "plots/data/figure_tables.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/device/backend.h"

enum { ROWS = 4096 }; /* of a query that selects rows of all tables */

/* A [data] section that becomes a table. */
struct wanted {
    const struct experiment *experiment;
    const struct section *data;
    const struct plot_device *device; /* NULL: all */
    struct database *database;
    const char *query;
    struct plot_table *table;
};

static enum err name_table(const struct plot_tables *all, const struct wanted *w)
{
    const struct experiment *x = w->experiment;
    const char *name = experiment_value(x, w->data, "name");
    if (!name && w->table != all->at)
        FAIL(INPUT, "%s:%d: only the first [data] can do without 'name = ...'", x->file.path,
             w->data->line);
    if (!name)
        name = "data";
    if (*name < 'a' || *name > 'z' || strlen(name) >= sizeof w->table->name ||
        strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(name))
        return experiment_fault(x, name,
                                "'%s' is not the name of a table: a letter, then lower-case "
                                "letters, digits and _, %zu at most",
                                name, sizeof w->table->name - 1);
    for (const struct plot_table *t = all->at; t < w->table; t++)
        if (strcmp(t->name, name) == 0)
            FAIL(INPUT, "%s:%d: there is a table '%s' already", x->file.path, w->data->line, name);
    snprintf(w->table->name, sizeof w->table->name, "%s", name);
    return ERR_OK;
}

static enum err find_query(struct wanted *w)
{
    const struct experiment *x = w->experiment;
    w->query = w->device ? experiment_variant(x, w->data, "sql", backends[w->device->backend]->name)
                         : experiment_value(x, w->data, "sql");
    w->table->query = w->query;
    if (!w->query)
        FAIL(INPUT, "%s:%d: this section needs 'sql = SELECT ...'", x->file.path, w->data->line);
    const char *texts = experiment_value(x, w->data, "texts");
    if (texts && strcmp(texts, "several") != 0)
        return experiment_fault(
            x, texts,
            "expected 'texts = several', which allows several sources of a kernel, got '%s'",
            texts);
    return ERR_OK;
}

/* Is there an ORDER BY outside all parentheses and quotes? */
static int is_ordered(const char *query)
{
    int depth = 0;
    for (const char *p = query; *p; p++) {
        if (*p == '\'' || *p == '"') {
            p = strchr(p + 1, *p);
            if (!p)
                return 0;
        }
        depth += (*p == '(') - (*p == ')');
        if (depth == 0 && strncasecmp(p, "order", 5) == 0 && isspace((unsigned char)p[5]) &&
            strncasecmp(p + 5 + strspn(p + 5, " \t\n"), "by", 2) == 0 &&
            (p == query || !(isalnum((unsigned char)p[-1]) || p[-1] == '_')))
            return 1;
    }
    return 0;
}

/* Is it drawn in the order of its rows? All tables of a surface are, of other shapes one. */
static int is_drawn(const struct plot_tables *all, const struct wanted *w)
{
    const struct experiment *x = w->experiment;
    const struct section *draw = experiment_section(x, "draw", 0);
    const char *shape = experiment_value(x, draw, "shape"),
               *table = experiment_value(x, draw, "table");
    if (shape && strcmp(shape, "surface") == 0)
        return 1;
    return table ? strcmp(table, w->table->name) == 0 : w->table == all->at;
}

static enum err check_order(const struct plot_tables *all, const struct wanted *w)
{
    if (!is_drawn(all, w) || is_ordered(w->query))
        return ERR_OK;
    return experiment_fault(w->experiment, w->query,
                            "what is drawn needs an order, which SQL leaves open: add ORDER BY, "
                            "and the columns that say which row comes first");
}

/* Selects columns from those of the tables that have them all; "" where none has. */
static void select_rows(const struct plot_tables *t, const char *columns, char *query, size_t room)
{
    size_t n = 0;
    *query = '\0';
    for (int k = 0; k < t->count && n < room; k++) {
        char names[256], *rest = names, quoted[SQL_NAME];
        int has_all = 1;
        snprintf(names, sizeof names, "%s", columns);
        for (char *name = strsep(&rest, ","); name; name = strsep(&rest, ","))
            has_all &= rowset_column(&t->at[k].answer, name + strspn(name, " ")) >= 0;
        if (has_all)
            n += (size_t)snprintf(query + n, room - n, "%sSELECT DISTINCT %d AS place, %s FROM %s",
                                  n ? " UNION ALL " : "", k, columns,
                                  sql_quoted(t->at[k].name, quoted));
    }
}

static enum err note_sessions(struct plot_tables *t, struct database *d)
{
    char rows[ROWS], query[ROWS + 512];
    select_rows(t, "session", rows, sizeof rows);
    snprintf(query, sizeof query,
             "SELECT session, started, \"commit\", dirty, device, environment, title FROM (%s) "
             "JOIN sessions USING (session) JOIN environments USING (device, environment) "
             "GROUP BY session ORDER BY min(place), finished DESC, started DESC, session DESC",
             rows);
    return *rows ? database_ask(d, query, NULL, &t->sessions) : ERR_OK;
}

/* The source from which rows of blocks, kernels or spaces were compiled. */
#define TEXT_COLUMNS_OF "kernel, nx, ny, precision, file, flags, source, listed, absent, present"

static enum err ask_texts(struct plot_texts *t, struct database *d, const char *rows)
{
    struct rowset a;
    char *query;
    if (asprintf(&query,
                 "WITH t AS (SELECT DISTINCT " TEXT_COLUMNS_OF
                 " FROM (%s)) SELECT replace(group_concat(DISTINCT file || ' ' || source), ',', "
                 "', '), EXISTS (SELECT 1 FROM t GROUP BY file, flags HAVING count(DISTINCT "
                 "source) > 1), NOT min(present), sum(listed), sum(absent) FROM t",
                 rows) < 0)
        FAIL(MEMORY, "no memory for a query");
    const enum err e = database_ask(d, query, NULL, &a);
    free(query);
    TRY(e);
    if (!isnan(rowset_number(&a, 0, 3))) {
        snprintf(t->names, sizeof t->names, "%s", rowset_at(&a, 0, 0));
        t->mixed = rowset_number(&a, 0, 1) > 0;
        t->stale = rowset_number(&a, 0, 2) > 0;
        t->listed = (int)rowset_number(&a, 0, 3);
        t->absent = (int)rowset_number(&a, 0, 4);
    }
    rowset_free(&a);
    return ERR_OK;
}

static enum err note_texts(struct plot_tables *t, struct database *d)
{
    char rows[ROWS];
    select_rows(t, TEXT_COLUMNS_OF, rows, sizeof rows);
    return *rows ? ask_texts(&t->texts, d, rows) : ERR_OK;
}

/* Does measuring it bring rows of kernels? */
static int tunes(const struct experiment *x)
{
    const char *kind = experiment_value(x, experiment_section(x, "measure", 0), "kind");
    return kind && strcmp(kind, "tuning") == 0;
}

/* The missing rows, and the command that measures them. */
static void note_missing(struct plot_tables *all, const struct wanted *w)
{
    const struct experiment *x = w->experiment;
    const struct plot_device *d = w->device;
    const char *only = experiment_value(x, experiment_section(x, "measure", 0), "backend");
    char name[DB_NAME + 1], command[DB_NAME + 32] = "shoal tune";
    database_experiment(w->query, name);
    if (*name || tunes(x))
        snprintf(command, sizeof command, "shoal measure %s", *name ? name : x->name);
    all->present = 0;
    if (d && only && strcmp(only, backends[d->backend]->name) != 0)
        snprintf(all->missing, sizeof all->missing,
                 "%s has no rows: it is measured with --backend %s alone", plot_device_title(d),
                 only);
    else
        snprintf(all->missing, sizeof all->missing,
                 "%s has %srows for this query: `%s` measures them",
                 d ? plot_device_title(d) : "no device", d ? "no " : "", command);
}

static enum err ask(const struct wanted *w)
{
    const enum err e = database_ask(w->database, w->query, NULL, &w->table->answer);
    if (e == ERR_USAGE)
        return experiment_fault(w->experiment, w->query + database_place(w->database), "%s",
                                err_message());
    return e;
}

static enum err read_table(struct plot_tables *all, struct wanted *w)
{
    TRY(name_table(all, w));
    TRY(find_query(w));
    TRY(check_order(all, w));
    TRY(ask(w));
    TRY(database_keep(w->database, w->table->name, w->query));
    if (w->table->answer.rows)
        return ERR_OK;
    if (all->present && !database_measured(w->query))
        return experiment_fault(w->experiment, w->query, "no row answers this query");
    if (all->present)
        note_missing(all, w);
    return ERR_OK;
}

enum err plot_tables_read(struct plot_tables *t, const struct experiment *x,
                          const struct plot_devices *all, const struct plot_device *d)
{
    struct database *database = d ? d->database : all->database;
    const struct section *data;
    int count = 0;
    *t = (struct plot_tables){.present = 1};
    while (experiment_section(x, "data", count))
        count++;
    t->at = calloc((size_t)count + 1, sizeof *t->at);
    if (!t->at)
        FAIL(MEMORY, "no memory for the tables of a figure");
    for (; (data = experiment_section(x, "data", t->count)) != NULL; t->count++) {
        struct wanted w = {.experiment = x,
                           .data = data,
                           .device = d,
                           .database = database,
                           .table = &t->at[t->count]};
        const enum err e = read_table(t, &w);
        if (e) {
            t->count++;
            plot_tables_free(t);
            return e;
        }
    }
    enum err e = note_sessions(t, database);
    if (!e)
        e = note_texts(t, database);
    if (e)
        plot_tables_free(t);
    return e;
}

enum err plot_tables_forget(const struct plot_tables *t, struct database *d)
{
    for (int k = 0; k < t->count; k++)
        TRY(database_forget(d, t->at[k].name));
    return ERR_OK;
}

void plot_tables_free(struct plot_tables *t)
{
    for (int k = 0; k < t->count; k++)
        rowset_free(&t->at[k].answer);
    rowset_free(&t->sessions);
    free(t->at);
    *t = (struct plot_tables){0};
}
