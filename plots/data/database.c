/* The tuning database as SQL tables: the list of tables, and loading those that a query names. */
#include "plots/data/database.h"

#include <ctype.h>
#include <math.h>
#include <search.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/input_files.h"
#include "core/device/backend.h"
#include "core/registry/registry.h"
#include "core/db/record.h"
#include "plots/data/load.h"

/* Tables and views that rows of kernels are in. */
static const char *const of_kernels[] = {
    "kernel_rows",   "newest_kernel_rows", "blocks", "kernels", "spaces", "kernels_now",
    "thesis_blocks", "kernel_space",       "flags",  "codes",   NULL};
static const char thesis[] = "amundsen_2014_table_4_1";

enum { MOST_CASE_NX = 2000, CASE_NX = 160, WORD = 128 };

static int is_one_of(const char *word, const char *const *list)
{
    while (*list && strcmp(*list, word) != 0)
        list++;
    return *list != NULL;
}

enum err database_run(struct database *d, const char *fmt, ...)
{
    char *text;
    va_list ap;
    va_start(ap, fmt);
    const int n = vasprintf(&text, fmt, ap);
    va_end(ap);
    if (n < 0)
        FAIL(MEMORY, "no memory for a statement");
    const enum err e = sql_run(d->sql, text);
    free(text);
    return e;
}

void table_name(const char *text, char name[TABLE_NAME])
{
    size_t n = 0;
    for (; text[n] && n + 1 < TABLE_NAME; n++)
        name[n] = (char)(isalnum((unsigned char)text[n]) ? text[n] : '_');
    name[n] = '\0';
}

int database_has(const struct database *d, const char *table)
{
    struct rowset known;
    const int found = !sql_ask(d->sql, "SELECT name FROM sqlite_schema", NULL, &known) &&
                      rowset_has(&known, "name", table);
    rowset_free(&known);
    return found;
}

static enum err add_environments(struct database *d)
{
    static const char *const member[] = {"compute_capability", "sm_count", "driver",  "nvrtc",
                                         "compiler",           "march",    "threads", "os"};
    enum { MEMBERS = sizeof member / sizeof *member, FIRST = 6 };
    enum err e = sql_into(d->sql, "environments", FIRST + MEMBERS);
    for (int k = 0; k < d->devices && !e; k++) {
        const struct plot_device *p = &d->device[k];
        struct sql_value v[FIRST + MEMBERS] = {{p->device, 0},
                                               {p->environment, 0},
                                               {plot_device_title(p), 0},
                                               {backends[p->backend]->name, 0},
                                               {NULL, p->rank},
                                               {p->latest, 0}};
        for (int m = 0; m < MEMBERS; m++)
            v[FIRST + m] = (struct sql_value){
                db_manifest_get(&p->manifest, "environment", member[m]), (double)NAN};
        e = sql_add(d->sql, v);
    }
    return sql_done(d->sql, e);
}

static enum err add_session(struct database *d, const struct plot_device *p, const char *name)
{
    char section[DB_SECTION];
    db_session_section(name, section);
    const struct sql_value v[] = {{p->device, 0},
                                  {p->environment, 0},
                                  {name, 0},
                                  {db_manifest_get(&p->manifest, section, "started"), (double)NAN},
                                  {db_manifest_get(&p->manifest, section, "ended"), (double)NAN},
                                  {NULL, db_session_ended(&p->manifest, name)},
                                  {db_manifest_get(&p->manifest, section, "commit"), (double)NAN},
                                  {db_manifest_get(&p->manifest, section, "dirty"), (double)NAN}};
    return sql_add(d->sql, v);
}

/* sessions/NAME/started is there for each. */
static enum err add_sessions(struct database *d)
{
    enum err e = sql_into(d->sql, "sessions", 8);
    for (int k = 0; k < d->devices; k++) {
        const struct db_manifest *m = &d->device[k].manifest;
        for (size_t n = 0; n < m->count && !e; n++) {
            char name[DB_KEY + 1];
            const char *end = strstr(m->entry[n].key, "/started");
            if (strncmp(m->entry[n].key, "sessions/", 9) != 0 || !end || end[8])
                continue;
            snprintf(name, sizeof name, "%.*s", (int)(end - m->entry[n].key - 9),
                     m->entry[n].key + 9);
            e = add_session(d, &d->device[k], name);
        }
    }
    return sql_done(d->sql, e);
}

/* plots/data/views.sql, which is installed with the program. */
static enum err add_views(struct database *d)
{
    char path[PATH_LENGTH], *text = NULL;
    size_t room = 0;
    TRY(paths_file("plots/data/views.sql", path));
    FILE *from = fopen(path, "r");
    if (!from || getdelim(&text, &room, '\0', from) <= 0) {
        if (from)
            fclose(from);
        free(text);
        FAIL(INPUT, "%s: cannot be read", path);
    }
    fclose(from);
    input_files_note(path);
    const enum err e = sql_run(d->sql, text);
    free(text);
    return e;
}

static enum err fill_database(struct database *d)
{
    TRY(sql_run(d->sql,
                "CREATE TABLE environments (device, environment, title, backend, rank, latest, "
                "compute_capability, sm_count, driver, nvrtc, compiler, march, threads, os);"
                "CREATE TABLE sessions (device, environment, session, started, ended, finished, "
                "\"commit\", dirty)"));
    TRY(add_environments(d));
    TRY(add_sessions(d));
    return add_views(d);
}

enum err database_open(struct database **opened, const struct plot_devices *all, int which)
{
    struct database *d = calloc(1, sizeof *d);
    *opened = d;
    if (!d)
        FAIL(MEMORY, "no memory for the tables of queries");
    d->all = all;
    d->device = which < 0 ? all->at : &all->at[which];
    d->devices = which < 0 ? all->count : plot_device_environments(all, which);
    TRY(sql_open(&d->sql));
    return fill_database(d);
}

void database_close(struct database *d)
{
    if (d) {
        sql_close(d->sql);
        tdestroy(d->loaded, free);
    }
    free(d);
}

/* The case of case_NAME, or of case_NAME_NX with so many cells from west to east; NULL for other words. */
static const struct flow_case *case_of(const char *word, int *nx)
{
    char name[TABLE_NAME];
    for (int k = 0; cases[k] && strncmp(word, "case_", 5) == 0; k++) {
        table_name(cases[k]->name, name);
        const size_t n = strlen(name);
        const char *rest = word + 5 + n;
        if (strncmp(word + 5, name, n) != 0 || (*rest && *rest != '_'))
            continue;
        *nx = *rest ? (int)strtol(rest + 1, NULL, 10) : CASE_NX;
        if (*nx > 0 && *nx <= MOST_CASE_NX &&
            (!*rest || strspn(rest + 1, "0123456789") == strlen(rest + 1)))
            return cases[k];
    }
    return NULL;
}

static int begins(const char *word, const char *with)
{
    return strncmp(word, with, strlen(with)) == 0;
}

/* Loads what a query that names this word needs. */
static enum err load_word(struct database *d, const char *word)
{
    char view[TABLE_NAME];
    int nx;
    const struct flow_case *flow = case_of(word, &nx);
    if (flow)
        return database_has(d, word) ? ERR_OK : load_case(d, word, flow->name, nx);
    if (is_one_of(word, of_kernels)) {
        TRY(load_published(d, thesis));
        TRY(database_run(
            d, "CREATE TABLE IF NOT EXISTS %s (kernel, reference, q1800m, gtx480, gtx435m)",
            thesis));
        return database_has(d, "compared_rows") ? ERR_OK : load_kernels(d);
    }
    if (begins(word, "replay_"))
        return database_has(d, word) ? ERR_OK
                                     : load_replay(d, word, (int)strtol(word + 7, NULL, 10));
    if (strcmp(word, "predicted") == 0)
        return database_has(d, word) ? ERR_OK : load_predicted(d);
    if (begins(word, "certificate_"))
        return database_has(d, word) ? ERR_OK : load_certificate(d);
    if (!begins(word, "measured_"))
        return load_published(d, word);
    snprintf(view, sizeof view, "%s", word);
    const size_t n = strlen(view);
    if (n > 4 && strcmp(view + n - 4, "_all") == 0)
        view[n - 4] = '\0';
    return load_measured(d, view);
}

/* All tables and views of sqlite_schema. */
static enum err load_all(struct database *d)
{
    const struct db_list *files = &d->all->files;
    for (size_t k = 0; k < files->count; k++) {
        char file[DB_FILE + 1], table[TABLE_NAME];
        struct db_place place;
        const char *last = strrchr(files->path[k], '/');
        db_place_parse(files->path[k], &place);
        if (place.kind == DB_EXPERIMENT) {
            snprintf(file, sizeof file, "measured_%.*s", (int)strcspn(last + 1, "."), last + 1);
            table_name(file, table);
            TRY(load_measured(d, table));
        }
        if (place.kind == DB_PUBLISHED) {
            snprintf(file, sizeof file, "%.*s", (int)strlen(files->path[k]) - 4, files->path[k]);
            table_name(file + strcspn(file, "/") + 1, table);
            TRY(load_published(d, table));
        }
    }
    TRY(load_word(d, "kernels"));
    return load_word(d, "certificate_answers");
}

/* The next word of a query; false at its end. */
static int next_word(const char **query, char word[WORD])
{
    size_t n = 0;
    while (**query && !isalpha((unsigned char)**query))
        ++*query;
    for (; isalnum((unsigned char)**query) || **query == '_'; ++*query)
        if (n + 1 < WORD)
            word[n++] = **query;
    word[n] = '\0';
    return n > 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Looking for the tables of a word that is no table takes as long as most queries: once is enough. */
static enum err load_once(struct database *d, const char *word)
{
    if (tfind(word, &d->loaded, by_text))
        return ERR_OK;
    TRY(begins(word, "sqlite_") ? load_all(d) : load_word(d, word));
    char *kept = strdup(word);
    if (kept && !tsearch(kept, &d->loaded, by_text))
        free(kept);
    return ERR_OK;
}

enum err database_ask(struct database *d, const char *query, const struct sql_names *names,
                      struct rowset *a)
{
    char word[WORD];
    const char *p = query;
    *a = (struct rowset){0};
    while (next_word(&p, word))
        TRY(load_once(d, word));
    const enum err e = sql_ask(d->sql, query, names, a);
    if (e != ERR_USAGE || !strstr(err_message(), "no such table"))
        return e;
    (void)load_all(d); /* so that a message can list them */
    return sql_ask(d->sql, query, names, a);
}

enum err database_tables(struct database *d, struct rowset *a)
{
    TRY(load_all(d));
    TRY(database_run(
        d, "CREATE TEMP TABLE IF NOT EXISTS listed AS SELECT m.name AS \"table\", (SELECT "
           "group_concat(p.name, ' ') FROM pragma_table_info(m.name) p) AS \"columns\" FROM "
           "main.sqlite_schema m WHERE m.type IN ('table', 'view')"));
    return sql_ask(d->sql, "SELECT * FROM listed ORDER BY \"table\"", NULL, a);
}

size_t database_place(const struct database *d)
{
    return sql_place(d->sql);
}

enum err database_forget(struct database *d, const char *table)
{
    char quoted[SQL_NAME];
    return database_run(d, "DROP TABLE IF EXISTS temp.%s", sql_quoted(table, quoted));
}

enum err database_keep(struct database *d, const char *table, const char *query)
{
    char name[SQL_NAME];
    TRY(database_forget(d, table));
    return database_run(d, "CREATE TEMP TABLE %s AS %s", sql_quoted(table, name), query);
}

int database_measured(const char *query)
{
    static const char *const own[] = {"environments", "sessions", "predicted", NULL};
    char word[WORD];
    while (next_word(&query, word))
        if (begins(word, "measured_") || begins(word, "replay_") || is_one_of(word, own) ||
            is_one_of(word, of_kernels))
            return 1;
    return 0;
}

void database_experiment(const char *query, char name[DB_NAME + 1])
{
    static const char view_end[] = "_all";
    static const char *const columns[] = {"measured_us", "measured_ratio", NULL}; /* of predicted */
    char word[WORD];
    *name = '\0';
    while (!*name && next_word(&query, word))
        if (begins(word, "measured_") && !is_one_of(word, columns))
            snprintf(name, DB_NAME + 1, "%s", word + 9);
    const size_t n = strlen(name);
    if (n > 4 && strcmp(name + n - 4, view_end) == 0)
        name[n - 4] = '\0';
    for (char *p = name; *p; p++)
        *p = (char)(*p == '_' ? '-' : *p);
}
