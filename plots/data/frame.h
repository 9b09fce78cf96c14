/* A table in memory, as text: what figures, tables and facts are made from. */
#ifndef SHOAL_FRAME_H
#define SHOAL_FRAME_H

#include <stddef.h>
#include <stdio.h>

#include "core/base/err.h"

/* Cells are never null: what is not known is "-". Row 0 is the first row of data. Other modules reach
 * cells by frame_at and frame_set. */
struct frame {
    int columns, column_room;
    size_t rows, row_room;
    char **name; /* of the columns */
    char **cell; /* row by row */
    void *arena; /* what the texts lie in */
};

/* An empty table with these columns, separated by tabs. A zeroed frame is one without any. */
enum err frame_create(struct frame *f, const char *columns);
void frame_free(struct frame *f); /* zeroed is fine */

int frame_column(const struct frame *f, const char *name); /* -1: there is none */

/* The same; fails with ERR_USAGE, suggesting the nearest, where there is none. */
enum err frame_find(const struct frame *f, const char *name, int *column);

const char *frame_at(const struct frame *f, size_t row, int column);

/* The number in a cell; NAN where it is none, and for column -1. */
double frame_number(const struct frame *f, size_t row, int column);

/* Adds a row of "-", which frame_set fills; a column of one text (where `column` is not NULL it says
 * which). Texts are copied: an empty one as "-", with blanks for tabs and line ends. Fails with
 * ERR_USAGE where there is a column of that name. */
enum err frame_add_row(struct frame *f);
enum err frame_add_column(struct frame *f, const char *name, const char *text, int *column);
enum err frame_set(struct frame *f, size_t row, int column, const char *text);
enum err frame_set_number(struct frame *f, size_t row, int column,
                          double x); /* "%.9g"; "-" if it is not finite */

/* Adds the rows of `more`, matched by the columns' names; what a side lacks is "-". */
enum err frame_append(struct frame *f, const struct frame *more);

/* Sorts the rows by a column: as numbers where all that are not "-" are numbers, else as texts, in byte
 * order; equal ones keep their order, numbers that are not known come last. */
enum err frame_sort(struct frame *f, int column);

/* Conditions on rows: "column=text", "column=a|b" (either), "column!=text", "column<4096" (also <=, >,
 * >=, as numbers), separated by blanks; all must hold. Texts that are both numbers are compared as
 * such. "" holds always. Fails with ERR_USAGE where a condition cannot be read or the column is not
 * there. */
enum { FRAME_CONDITIONS = 12 };
struct frame_where {
    int count;
    struct {
        int column;
        char relation[3];
        char text[128];
    } condition[FRAME_CONDITIONS];
};
enum err frame_where(const struct frame *f, const char *text, struct frame_where *where);
int frame_holds(const struct frame *f, size_t row, const struct frame_where *where);

/* Keeps only the rows for which the conditions hold. */
enum err frame_keep(struct frame *f, const char *conditions);

/* Keeps only the rows whose byte is not 0. */
void frame_keep_rows(struct frame *f, const char *wanted);

/* As text: names, then rows, tab separated. */
void frame_write(const struct frame *f, FILE *to);

#endif
