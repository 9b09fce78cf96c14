/* The answer of a query in memory: rows of cells. Figures, tables and facts are made from it. */
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

/* Names a column. Fails with ERR_USAGE if an earlier one has that name. */
enum err rowset_name(struct rowset *a, int column, const char *name);

/* Adds a row of unknown cells, which the setters fill in. Texts are copied, as `printable` has them
 * and on one line. */
enum err rowset_add_row(struct rowset *a);
enum err rowset_set_text(struct rowset *a, int column, const char *text);
enum err rowset_set_number(struct rowset *a, int column, double x);

int rowset_column(const struct rowset *a, const char *name); /* -1: there is none */

/* The same; fails with ERR_USAGE, suggesting the nearest, if there is none. */
enum err rowset_find(const struct rowset *a, const char *name, int *column);

/* Never null: an unknown value is "-"; a number has up to nine digits, a whole number all of
 * them. */
const char *rowset_at(const struct rowset *a, size_t row, int column);

/* The same for an existing column. */
const char *rowset_text(const struct rowset *a, size_t row, const char *column);

/* The number in a cell; NAN if it has none, and for column -1. */
double rowset_number(const struct rowset *a, size_t row, int column);

/* Has a row this text in a column? */
int rowset_has(const struct rowset *a, const char *column, const char *text);

/* As text: names, then rows, tab separated. */
void rowset_write(const struct rowset *a, FILE *to);

#endif
