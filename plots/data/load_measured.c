/* Rows of `shoal measure`, and published tables, as SQL tables. */
#include <stdlib.h>
#include <string.h>

#include "experiments/measure/measure_parts.h"
#include "plots/data/load.h"

/* The columns of every environment, so that a query for one without rows finds them; for an
 * unmeasured experiment those of its kind. */
static enum err read_environments(struct text_table *t, const char *experiment)
{
    char path[PATH_LENGTH], file[DB_FILE + 1], header[DB_LINE] = "";
    struct experiment x;
    snprintf(file, sizeof file, "experiments/%s.tsv", experiment);
    for (int k = 0; k < t->d->all->count; k++) {
        const struct plot_device *p = t->device = &t->d->all->at[k];
        const struct sql_value own[] = {{p->device, 0}, {p->environment, 0}, {NULL, 0}};
        const int is_ours = p >= t->d->device && p < t->d->device + t->d->devices;
        TRY(db_path(p->folder, file, path));
        TRY(text_table_read(t, path, is_ours ? own : NULL));
    }
    if (t->columns || experiment_read(&x, experiment))
        return ERR_OK;
    const char *kind = experiment_value(&x, experiment_section(&x, "measure", 0), "kind");
    for (int k = 0; kind && measure_kinds[k]; k++)
        if (strcmp(measure_kinds[k]->name, kind) == 0)
            measure_header(measure_kinds[k], measure_told(&x), header);
    experiment_free(&x);
    return *header ? text_table_columns(t, header) : ERR_OK;
}

/* The columns that say which point a row is of: those before `run`, or else `session`. Without session and
 * outcome it is no table of an experiment. */
static enum err find_points(const struct text_table *t, char *points, size_t room)
{
    int run = -1, session = -1, outcome = -1;
    char name[SQL_NAME];
    size_t n = 0;
    for (int k = 0; k < t->columns; k++) {
        run = strcmp(t->column[k], "run") == 0 ? k : run;
        session = strcmp(t->column[k], "session") == 0 ? k : session;
        outcome = strcmp(t->column[k], "outcome") == 0 ? k : outcome;
    }
    if (session < 0 || outcome < 0)
        FAIL(INPUT, "%s: the table of an experiment has columns 'session' and 'outcome'", t->name);
    *points = '\0';
    for (int k = 0; k < (run < 0 ? session : run) && n < room; k++)
        n += (size_t)snprintf(points + n, room - n, ", m.%s", sql_quoted(t->column[k], name));
    return ERR_OK;
}

/* What can be measured separately (--nx, --precision): the columns of these names, if the table has
 * them. */
static void find_parts(const struct text_table *t, char *parts, size_t room)
{
    static const char *const of[] = {"precision", "nx", "ny"};
    size_t n = 0;
    *parts = '\0';
    for (int k = 0; k < t->columns && n < room; k++)
        for (size_t m = 0; m < sizeof of / sizeof *of; m++)
            if (strcmp(t->column[k], of[m]) == 0)
                n += (size_t)snprintf(parts + n, room - n, ", m.%s", of[m]);
}

/* The table has all rows, the view those of the newest measurement of each point, if they are ok.
 * For each point the latest finished session counts (if there is none, the latest), whatever its
 * outcome: a point that failed when it was measured again is not shown as if it had not. For each
 * device, precision and size one environment counts: that of the latest finished session. */
static enum err make_view(const struct text_table *t, const char *view)
{
    char points[4096], parts[64];
    TRY(find_points(t, points, sizeof points));
    find_parts(t, parts, sizeof parts);
    return database_run(
        t->d,
        "UPDATE %s SET newest = rowid IN (SELECT id FROM (SELECT m.rowid AS id, m.environment AS "
        "own, rank() OVER (PARTITION BY m.device, m.environment%s ORDER BY finished DESC, started "
        "DESC, session DESC) AS age, first_value(m.environment) OVER (PARTITION BY m.device%s "
        "ORDER BY finished DESC, started DESC, m.environment) AS chosen FROM %s m JOIN sessions "
        "USING (device, environment, session)) WHERE age = 1 AND own = chosen);"
        "CREATE VIEW %s AS SELECT m.*, title AS device_title, backend FROM %s m JOIN environments "
        "USING (device, environment) WHERE newest AND outcome = 'ok'",
        t->name, points, parts, t->name, view, t->name);
}

enum err load_measured(struct database *d, const char *table)
{
    struct text_table t = {.d = d, .own = "device, environment, newest"};
    char experiment[DB_NAME + 1];
    if (database_has(d, table))
        return ERR_OK;
    database_experiment(table, experiment);
    snprintf(t.name, sizeof t.name, "%.*s_all", TABLE_NAME - 8, table);
    enum err e =
        database_run(d, "DROP TABLE IF EXISTS %s", t.name); /* of a file that had a fault */
    if (!e)
        e = read_environments(&t, experiment);
    if (!e && t.columns)
        e = make_view(&t, table);
    text_table_free(&t);
    return e;
}

/* published/WORK/TABLE.tsv is WORK_TABLE. */
enum err load_published(struct database *d, const char *table)
{
    const struct db_list *files = &d->all->files;
    const struct sql_value none = {NULL, 0};
    for (size_t k = 0; k < files->count; k++) {
        static const char folder[] = "published/";
        struct text_table t = {.d = d, .own = ""};
        char path[PATH_LENGTH], name[DB_FILE + 1];
        if (strncmp(files->path[k], folder, sizeof folder - 1) != 0)
            continue;
        snprintf(name, sizeof name, "%s", files->path[k] + sizeof folder - 1);
        name[strlen(name) > 4 ? strlen(name) - 4 : 0] = '\0';
        table_name(name, t.name);
        if (strcmp(t.name, table) != 0 || database_has(d, table))
            continue;
        TRY(db_path(d->all->folder, files->path[k], path));
        const enum err e = text_table_read(&t, path, &none);
        text_table_free(&t);
        if (e)
            database_run(d, "DROP TABLE IF EXISTS %s", table);
        TRY(e);
    }
    return ERR_OK;
}
