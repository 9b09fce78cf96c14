/* Reads a netCDF file record by record and row by row, as much as needed: for files larger than
 * memory. In a build without netCDF ncrecords_open fails with ERR_ABSENT. */
#ifndef SHOAL_READ_RECORDS_H
#define SHOAL_READ_RECORDS_H

#include <stddef.h>

#include "core/base/err.h"
#include "core/mesh/grid.h"

enum { NCRECORDS_NAME = 64, NCRECORDS_TEXT = 128, NCRECORDS_VARIABLES = 64 };

/* A variable over (y,x), or over (time,y,x). */
struct ncvariable {
    char name[NCRECORDS_NAME];
    char title[NCRECORDS_TEXT], units[NCRECORDS_TEXT]; /* long_name and units; "": none */
    int timed;                                         /* it has records */
    int id;
};

struct ncrecords {
    const char *path; /* the caller's */
    int id;
    struct grid_info grid;
    int flipped_x, flipped_y; /* the file has the axis descending */
    size_t records;           /* 0: the file has no time */
    double *time;             /* of each record, s, ascending */
    int variables;
    struct ncvariable variable[NCRECORDS_VARIABLES];
    const float *memory; /* the values of the only variable, if they are in memory; else null */
    int rows; /* recommended number of rows to read at once: those of a chunk of the file */
};

/* Opens a file with x and y, evenly spaced, in metres. Fails with ERR_INPUT otherwise, and if it
 * has no variable over them. Keeps `path`. Ends with ncrecords_close, also after a failure. */
enum err ncrecords_open(struct ncrecords *r, const char *path);
void ncrecords_close(struct ncrecords *r); /* accepts a zeroed or closed struct */

/* The same for a field in memory, ny rows of nx values, kept by reference: its only variable,
 * without records. */
void ncrecords_take(struct ncrecords *r, const char *path, const struct grid_info *grid,
                    const struct ncvariable *v, const float *values);

/* NULL if there is no such variable. */
const struct ncvariable *ncrecords_find(const struct ncrecords *r, const char *name);

/* Cells of the grid: nx columns from i on, ny rows from j on. */
struct ncwindow {
    int i, j, nx, ny;
};

/* Reads a window of a variable into `to`, ny rows of nx values, from south to north and west to east
 * whatever the file's order; NaN where a value is missing. `record` counts for a timed variable only. */
enum err ncrecords_read(const struct ncrecords *r, const struct ncvariable *v, size_t record,
                        struct ncwindow window, float *to);

/* The coordinate system, as well-known text, if a variable has one; null if none has. The caller
 * frees it. */
enum err ncrecords_system(const struct ncrecords *r, char **wkt);

/* A global attribute: the text, "" if there is none (cut if it is long). */
void ncrecords_text(const struct ncrecords *r, const char *name, char *text, size_t n);

#endif
