/* Rows of an experiment's tables, and which of several measurements a run takes. */
#ifndef SHOAL_DB_ROW_ORIGIN_H
#define SHOAL_DB_ROW_ORIGIN_H

#include "core/db/record.h"
#include "core/db/tuning_db.h"

/* Where rows were made; the nearest place is used. */
struct row_origin {
    enum db_match match;
    double distance; /* between the numbers of cells: the logarithm of their ratio */
    int nx, ny;
    char session[DB_SESSION + 1];
    struct db_age age; /* the newest comes first */
};

/* That of a measurement at no particular size. */
struct row_origin row_origin_of(enum db_match match, const struct db_manifest *m,
                                const char *session);

/* Negative if `a` is preferred. */
int row_origin_compare(const struct row_origin *a, const struct row_origin *b);

/* What a reader of rows needs. `row` gets the cells of these columns, in this order. */
enum { MOST_NAMED = 16 };
struct named_rows {
    const char *const *names;
    int columns;
    void (*row)(void *context, enum db_match match, const struct db_manifest *m, const char *path,
                const char *const cell[]);
    void *context;
    int again; /* it has been read, with its warnings */
};

/* Every row of an experiment's tables in the view. A table that cannot be read or lacks a column is left out, with a
 * warning. */
enum err named_rows_read(struct db_view *v, const char *experiment,
                         const struct named_rows *wanted);

/* A positive number, or NAN. */
double row_number(const char *text);

#endif
