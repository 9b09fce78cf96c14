/* Tables of the tuning database with columns of their own: what experiments measured. */
#include "core/db/tuning_db.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/db/split_tables.h"
#include "core/base/decimal.h"
#include "core/base/log.h"
#include "core/base/output_file.h"
#include "core/base/tab_cells.h"

void db_cells_free(struct db_cells *t)
{
    free(t->text);
    free(t->cell);
    *t = (struct db_cells){0};
}

/* The whole table and a NUL. */
static enum err read_text(const char *path, char **text)
{
    TRY(db_parts_text(path, text));
    if (**text)
        return ERR_OK;
    free(*text);
    *text = NULL;
    FAIL(INPUT, "%s: empty; delete it", path);
}

/* Splits the line into a row of cells; 0 if their number differs from that of the columns, or one
 * is empty. */
static int cut_row(char *line, char **cell, int columns)
{
    int full = tab_cells(line, cell, columns) == columns;
    for (int k = 0; full && k < columns; k++)
        full = *cell[k] != '\0';
    return full;
}

static int count(const char *text, char what)
{
    int n = 0;
    for (; *text; text++)
        n += *text == what;
    return n;
}

enum err db_cells_read(const char *path, struct db_cells *t)
{
    char *next, *line;
    *t = (struct db_cells){0};
    TRY(read_text(path, &t->text));
    next = t->text;
    const size_t lines = (size_t)count(t->text, '\n') + 1;
    for (int number = 1; (line = strsep(&next, "\n")) != NULL; number++) {
        if (!*line || *line == '#')
            continue;
        if (!t->cell) {
            t->columns = count(line, '\t') + 1;
            t->cell = calloc(lines * (size_t)t->columns, sizeof *t->cell);
            if (!t->cell) {
                db_cells_free(t);
                FAIL(MEMORY, "no memory for %s", path);
            }
        }
        if (cut_row(line, t->cell + t->rows * (size_t)t->columns, t->columns))
            t->rows++;
        else
            log_warning("%s:%d: expected %d columns with something in each; this row is left out",
                        path, number, t->columns);
    }
    if (t->rows)
        return ERR_OK;
    db_cells_free(t);
    FAIL(INPUT, "%s: no line of column names; delete it", path);
}

int db_cells_column(const struct db_cells *t, const char *name)
{
    for (int k = 0; k < t->columns; k++)
        if (strcmp(t->cell[k], name) == 0)
            return k;
    return -1;
}

const char *db_cells_at(const struct db_cells *t, size_t row, int column)
{
    return t->cell[row * (size_t)t->columns + (size_t)column];
}

int db_cells_fits(const char *column, const char *cell)
{
    static const char *const words[] = {"case",    "scheme",  "precision", "mode",   "limiter",
                                        "blocks",  "define",  "session",   "from",   "early_exit",
                                        "kernel",  "outcome", "reason",    "method", "graphs",
                                        "options", "mark"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcmp(column, words[k]) == 0)
            return 1;
    return strcmp(cell, "-") == 0 || !isnan(decimal_read(cell));
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct lines {
    const char *header, **line;
    size_t count;
};

static void print(FILE *f, const void *context)
{
    const struct lines *all = context;
    fprintf(f, "%s\n", all->header);
    for (size_t k = 0; k < all->count; k++)
        if (k == 0 || strcmp(all->line[k - 1], all->line[k]) != 0)
            fprintf(f, "%s\n", all->line[k]);
}

/* Merges the lines of the existing file with the new ones. */
static enum err merge_lines(const char *path, const char *header, const char *const *rows, size_t n,
                            char *old)
{
    const char **line = calloc((size_t)count(old, '\n') + 2 + n, sizeof *line);
    size_t lines = 0;
    enum err e = ERR_OK;
    if (!line)
        FAIL(MEMORY, "no memory for %s", path);
    const char *first = *old ? strsep(&old, "\n") : header;
    if (strcmp(first, header) != 0) {
        e = err_set(ERR_INPUT, __FILE__, __LINE__,
                    "%s has the columns '%s', and '%s' were measured: move it away", path, first,
                    header);
        goto out;
    }
    for (char *p = strsep(&old, "\n"); p; p = strsep(&old, "\n"))
        if (*p)
            line[lines++] = p;
    for (size_t k = 0; k < n; k++)
        line[lines++] = rows[k];
    qsort(line, lines, sizeof *line, by_text);
    const struct lines all = {header, line, lines};
    e = outfile_print(path, print, &all);
out:
    free(line);
    return e;
}

enum err db_cells_merge(const char *path, const char *header, const char *const *rows, size_t n)
{
    enum err e = ERR_OK;
    char nothing[] = "", *old = NULL;
    int lock;
    TRY(db_lock(path, &lock));
    if (access(path, F_OK) == 0)
        TRY_OUT(read_text(path, &old));
    TRY_OUT(merge_lines(path, header, rows, n, old ? old : nothing));
    TRY_OUT(db_parts_split(path, DB_LARGEST_TABLE));
out:
    free(old);
    close(lock);
    return e;
}
