/* Rows of a query's answer: each cell's text, and its number where it is one. */
#include "plots/data/rowset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/printable.h"
#include "core/registry/catalog.h"

static const double WHOLE = 1e15; /* below it all digits of a whole number are its own */

static enum err no_memory(void)
{
    FAIL(MEMORY, "no memory for the rows of a query");
}

enum err rowset_create(struct rowset *a, int columns)
{
    *a = (struct rowset){.columns = columns};
    a->name = calloc((size_t)columns + 1, sizeof *a->name);
    return a->name ? ERR_OK : no_memory();
}

void rowset_free(struct rowset *a)
{
    for (size_t k = 0; k < a->rows * (size_t)a->columns; k++)
        free(a->cell[k].text);
    for (int k = 0; k < a->columns; k++)
        free(a->name[k]);
    free(a->name);
    free(a->cell);
    *a = (struct rowset){0};
}

enum err rowset_name(struct rowset *a, int column, const char *name)
{
    for (int k = 0; k < column; k++)
        if (strcmp(a->name[k], name) == 0)
            FAIL(USAGE, "two columns are called '%s': rename one of them, with AS", name);
    a->name[column] = strdup(name);
    return a->name[column] ? ERR_OK : no_memory();
}

static struct rowset_cell *cell_at(const struct rowset *a, size_t row, int column)
{
    return &a->cell[row * (size_t)a->columns + (size_t)column];
}

enum err rowset_add_row(struct rowset *a)
{
    if (a->rows == a->room) {
        const size_t room = a->room ? 2 * a->room : 64;
        void *more = realloc(a->cell, room * (size_t)a->columns * sizeof *a->cell);
        if (!more)
            return no_memory();
        a->cell = more;
        a->room = room;
    }
    for (int k = 0; k < a->columns; k++)
        *cell_at(a, a->rows, k) = (struct rowset_cell){NULL, (double)NAN};
    a->rows++;
    return ERR_OK;
}

enum err rowset_set_text(struct rowset *a, int column, const char *text)
{
    struct rowset_cell *c = cell_at(a, a->rows - 1, column);
    c->text = strdup(text);
    if (!c->text)
        return no_memory();
    printable(c->text);
    for (char *end = c->text; (end = strchr(end, '\n')) != NULL;)
        *end = ' ';
    return ERR_OK;
}

enum err rowset_set_number(struct rowset *a, int column, double x)
{
    char text[32];
    cell_at(a, a->rows - 1, column)->number = x;
    if (fabs(x) < WHOLE && x == floor(x)) /* much sooner than as a double */
        snprintf(text, sizeof text, "%lld", (long long)x);
    else
        snprintf(text, sizeof text, "%.9g", x);
    return rowset_set_text(a, column, text);
}

int rowset_column(const struct rowset *a, const char *name)
{
    for (int k = 0; k < a->columns; k++)
        if (strcmp(a->name[k], name) == 0)
            return k;
    return -1;
}

enum err rowset_find(const struct rowset *a, const char *name, int *column)
{
    struct catalog known = {0};
    *column = rowset_column(a, name);
    if (*column >= 0)
        return ERR_OK;
    for (int k = 0; k < a->columns && k < CATALOG_ENTRIES; k++)
        catalog_add(&known, a->name[k]);
    return catalog_unknown(&known, "column", name, NULL);
}

const char *rowset_at(const struct rowset *a, size_t row, int column)
{
    const char *text = cell_at(a, row, column)->text;
    return text && *text ? text : "-";
}

const char *rowset_text(const struct rowset *a, size_t row, const char *column)
{
    return rowset_at(a, row, rowset_column(a, column));
}

double rowset_number(const struct rowset *a, size_t row, int column)
{
    return column < 0 ? (double)NAN : cell_at(a, row, column)->number;
}

int rowset_has(const struct rowset *a, const char *column, const char *text)
{
    const int c = rowset_column(a, column);
    for (size_t row = 0; c >= 0 && row < a->rows; row++)
        if (strcmp(rowset_at(a, row, c), text) == 0)
            return 1;
    return 0;
}

void rowset_write(const struct rowset *a, FILE *to)
{
    for (int k = 0; k < a->columns; k++)
        fprintf(to, "%s%c", a->name[k], k + 1 < a->columns ? '\t' : '\n');
    for (size_t r = 0; r < a->rows; r++)
        for (int k = 0; k < a->columns; k++)
            fprintf(to, "%s%c", rowset_at(a, r, k), k + 1 < a->columns ? '\t' : '\n');
}
