/* Reads text tables of the database into SQL tables: nothing may be skipped silently. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/decimal.h"
#include "core/base/tab_cells.h"
#include "core/base/whole_file.h"
#include "core/db/record.h"
#include "core/db/split_tables.h"
#include "plots/data/load.h"

/* A file being read. */
struct text_file {
    struct text_table *table;
    const char *path;
    int line, columns;
    char *name[TEXT_COLUMNS];
    struct sql_value value[OWN_COLUMNS + TEXT_COLUMNS];
    int own; /* how many values come before the cells */
};

static int has_column(const struct text_table *t, const char *name)
{
    for (int k = 0; k < t->columns; k++)
        if (strcmp(t->column[k], name) == 0)
            return 1;
    return 0;
}

static enum err add_column(struct text_table *t, const char *name)
{
    if (t->columns == TEXT_COLUMNS)
        FAIL(INPUT, "%s has more than %d columns", t->name, TEXT_COLUMNS);
    t->column[t->columns] = strdup(name);
    return t->column[t->columns++]
               ? ERR_OK
               : err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for a table");
}

static enum err create(const struct text_table *t)
{
    char column[SQL_NAME], *list = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&list, &size);
    for (int k = 0; f && k < t->columns; k++)
        fprintf(f, "%s%s", k || *t->own ? ", " : "", sql_quoted(t->column[k], column));
    const int written = f && fclose(f) == 0;
    const enum err e = written ? database_run(t->d, "CREATE TABLE %s (%s%s)", t->name, t->own, list)
                               : err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for a table");
    free(list);
    return e;
}

/* The columns from `first` on become the SQL table's, if it is new in one statement: after each one SQLite reads all
 * tables' and views' definitions again. */
static enum err add_to_table(const struct text_table *t, int first)
{
    char column[SQL_NAME];
    if (!database_has(t->d, t->name))
        return create(t);
    for (int k = first; k < t->columns; k++)
        TRY(database_run(t->d, "ALTER TABLE %s ADD COLUMN %s", t->name,
                         sql_quoted(t->column[k], column)));
    return ERR_OK;
}

enum err text_table_columns(struct text_table *t, const char *names)
{
    const int first = t->columns;
    char *copy = strdup(names), *rest = copy;
    enum err e = copy ? ERR_OK : err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for a table");
    for (char *name = strsep(&rest, "\t"); name && !e; name = strsep(&rest, "\t"))
        if (!has_column(t, name))
            e = add_column(t, name);
    free(copy);
    return e || t->columns == first ? e : add_to_table(t, first);
}

void text_table_free(struct text_table *t)
{
    for (int k = 0; k < t->columns; k++)
        free(t->column[k]);
}

static enum err read_names(struct text_file *f, char *line)
{
    TRY(text_table_columns(f->table, line));
    f->columns = tab_cells(line, f->name, TEXT_COLUMNS);
    for (int k = 0; k < f->columns && k < TEXT_COLUMNS; k++)
        for (int m = 0; m <= k; m++)
            if (!*f->name[k] || (m < k && strcmp(f->name[m], f->name[k]) == 0))
                FAIL(INPUT, "%s:%d: a column has no name, or the name of another", f->path,
                     f->line);
    return ERR_OK;
}

/* Errors that a figure would show, or hide, silently. */
static enum err check_cell(const struct text_file *f, const char *name, const char *cell)
{
    char section[DB_SECTION];
    int known = strcmp(name, "outcome") != 0;
    for (int m = 0; m < DB_OUTCOMES && !known; m++)
        known = strcmp(cell, db_outcomes[m]) == 0;
    if (!known)
        FAIL(INPUT, "%s:%d: '%s' is no outcome", f->path, f->line, cell);
    if (strcmp(name, "session") != 0)
        return ERR_OK;
    db_session_section(cell, section);
    if (strlen(cell) != DB_SESSION ||
        !db_manifest_get(&f->table->device->manifest, section, "started"))
        FAIL(INPUT, "%s:%d: the manifest of this environment has no session '%s'", f->path, f->line,
             cell);
    return ERR_OK;
}

static int holds_words(const char *name)
{
    return db_cells_fits(name, "a word") || strcmp(name, "flags") == 0 ||
           strcmp(name, "source") == 0 || strcmp(name, "binary") == 0;
}

static enum err read_cell(struct text_file *f, int k, const char *cell)
{
    const int is_word = holds_words(f->name[k]), measured = f->table->device != NULL;
    struct sql_value *v = &f->value[f->own + k];
    *v = (struct sql_value){NULL, is_word ? (double)NAN : decimal_read(cell)};
    if (!*cell)
        FAIL(INPUT, "%s:%d: column %d is empty; write - for an unknown value", f->path, f->line,
             k + 1);
    if (isnan(v->number) && strcmp(cell, "-") != 0)
        v->text = cell;
    if (measured && v->text && !is_word)
        FAIL(INPUT,
             "%s:%d: %s '%s': expected a number, or - for none; restore it, or measure again",
             f->path, f->line, f->name[k], cell);
    return measured ? check_cell(f, f->name[k], cell) : ERR_OK;
}

static enum err read_row(struct text_file *f, char *line)
{
    char *cell[TEXT_COLUMNS];
    const int count = tab_cells(line, cell, TEXT_COLUMNS);
    for (int k = 0; k < count && k < f->columns; k++)
        TRY(read_cell(f, k, cell[k]));
    if (count != f->columns)
        FAIL(INPUT, "%s:%d: %d cells, where %d columns have names", f->path, f->line, count,
             f->columns);
    return sql_add(f->table->d->sql, f->value);
}

/* Begins to add rows: its own columns, then the file's, in their order. */
static enum err begin_rows(struct text_file *f)
{
    const struct text_table *t = f->table;
    char name[SQL_NAME], *into;
    size_t size;
    FILE *to = open_memstream(&into, &size);
    if (!to)
        FAIL(MEMORY, "no memory for a table");
    fprintf(to, "%s (%s", t->name, t->own);
    for (int k = 0; k < f->columns; k++)
        fprintf(to, "%s%s", k || *t->own ? ", " : "", sql_quoted(f->name[k], name));
    fputs(")", to);
    fclose(to);
    const enum err e = sql_into(t->d->sql, into, f->own + f->columns);
    free(into);
    return e;
}

/* Rows if `rows` is set, otherwise only columns. */
static enum err read_lines(struct text_file *f, char *text, int rows)
{
    enum err e = ERR_OK;
    for (char *line = strsep(&text, "\n"); line && !e; line = strsep(&text, "\n")) {
        f->line++;
        if (!*line || *line == '#')
            continue;
        if (f->columns) {
            e = read_row(f, line);
            continue;
        }
        TRY(read_names(f, line));
        if (!rows)
            return ERR_OK;
        e = begin_rows(f);
    }
    if (!f->columns)
        FAIL(INPUT, "%s: no line of column names", f->path);
    return sql_done(f->table->d->sql, e);
}

static enum err read_file(struct text_table *t, const char *path, const struct sql_value *own)
{
    struct text_file f = {.table = t, .path = path};
    char *text;
    size_t size;
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return ERR_OK;
    TRY(whole_file_read(path, WHOLE_DATA, &text, &size));
    for (const char *p = t->own; *p; p++)
        f.own += p == t->own || *p == ',';
    for (int k = 0; own && k < f.own; k++)
        f.value[k] = own[k];
    const enum err e = strlen(text) < size
                           ? err_set(ERR_INPUT, __FILE__, __LINE__, "%s: not a text file", path)
                           : read_lines(&f, text, own != NULL);
    free(text);
    return e;
}

enum err text_table_read(struct text_table *t, const char *path, const struct sql_value *own)
{
    struct db_list parts = {0};
    enum err e = read_file(t, path, own);
    if (!e)
        e = db_parts_list(path, &parts);
    for (size_t k = 0; k < parts.count && !e; k++)
        e = read_file(t, parts.path[k], own);
    db_list_free(&parts);
    return e;
}
