/* The series and lists of a result as tables: gauges, the balance, and others with a dimension of
 * their own. In a build without netCDF nctable_read fails with ERR_ABSENT. */
#ifndef SHOAL_READ_TABLE_H
#define SHOAL_READ_TABLE_H

#include <stddef.h>

#include "core/base/err.h"

enum { NCTABLE_NAME = 300 };

struct nctable_column {
    char name[NCTABLE_NAME];
    int single; /* its numbers are float */
};

struct nctable {
    size_t rows, columns;
    struct nctable_column *column;
    char *label;     /* of each row, NCTABLE_NAME bytes; null: rows have none */
    const char *key; /* what labels are: "gauge" */
    char key_text[NCTABLE_NAME];
    double *value; /* rows of `columns`; NAN: missing */
};

/* Reads a table of the file. `name` is a variable over a time and named items (gauge_h: a column
 * for each gauge), a series with its own time (balance: a column for each volume), or a list of
 * named items (gauges: a row each, with all its data). If there is no such table, fails with
 * ERR_USAGE and names those that exist. Free with nctable_free, also after a failure. */
enum err nctable_read(struct nctable *t, const char *path, const char *name);
void nctable_free(struct nctable *t); /* accepts a zeroed or freed struct */

/* Names of all tables of a file, each behind a blank; "" if there is none. */
void nctable_list(const char *path, char *text, size_t room);

/* True if `name` is a table of the file, whatever else it may be. */
int nctable_has(const char *path, const char *name);

#endif
