/* What a query answers, in memory: rows of cells. Figures, tables and facts are made from it. */
#ifndef SHOAL_ROWSET_H
#define SHOAL_ROWSET_H

#include <stddef.h>
#include <stdio.h>

#include "core/base/err.h"

/* Cells are reached by rowset_at and rowset_number. Row 0 is the first row of data. */
struct rowset {
    int columns;
    size_t rows, room;
    char **name; /* of the columns */
    struct rowset_cell {
        char *text;
        double number;
    } * cell; /* row by row */
};

/* An empty one with room for columns, whose names are to be set. A zeroed answer is one without any. */
enum err rowset_create(struct rowset *a, int columns);
void rowset_free(struct rowset *a); /* zeroed is fine */

/* Names a column. Fails with ERR_USAGE where one before it has that name. */
enum err rowset_name(struct rowset *a, int column, const char *name);

/* Adds a row whose cells, none of them known yet, the setters fill in. Texts are copied, with blanks for
 * control characters. */
enum err rowset_add_row(struct rowset *a);
enum err rowset_set_text(struct rowset *a, int column, const char *text);
enum err rowset_set_number(struct rowset *a, int column, double x);

int rowset_column(const struct rowset *a, const char *name); /* -1: there is none */

/* The same; fails with ERR_USAGE, suggesting the nearest, where there is none. */
enum err rowset_find(const struct rowset *a, const char *name, int *column);

/* Never null: what is not known is "-", a number has up to nine digits, of a whole one all. */
const char *rowset_at(const struct rowset *a, size_t row, int column);

/* The same, of a column that there is. */
const char *rowset_text(const struct rowset *a, size_t row, const char *column);

/* The number in a cell; NAN where it holds none, and for column -1. */
double rowset_number(const struct rowset *a, size_t row, int column);

/* Has a row this text in a column? */
int rowset_has(const struct rowset *a, const char *column, const char *text);

/* As text: names, then rows, tab separated. */
void rowset_write(const struct rowset *a, FILE *to);

#endif
