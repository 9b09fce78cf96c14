/* Series: numbers that change with time, such as hydrographs, linear between their rows. */
#ifndef SHOAL_TIME_SERIES_H
#define SHOAL_TIME_SERIES_H

#include <stddef.h>

#include "core/base/err.h"

enum { TIMESERIES_HASH = 12 };

struct timeseries {
    double *time, *value; /* rows in the order of time, at least two; s and the file's own unit */
    int rows;
    char hash[TIMESERIES_HASH + 1]; /* the first digits of the SHA-256 of the text */
};

/* Reads a text: two columns, time in s and value, with blanks, tabs, commas or semicolons between;
 * # begins a comment; the first line may name the columns. Messages give `name` and the line. Fails
 * with ERR_INPUT. Free with timeseries_free, also after a failure. */
enum err timeseries_parse(struct timeseries *s, const char *text, size_t n, const char *name);

/* The same for a file. */
enum err timeseries_read(struct timeseries *s, const char *path);

/* Fails with ERR_INPUT if the series does not cover `from` to `to`: there is no extrapolation. */
enum err timeseries_covers(const struct timeseries *s, double from, double to, const char *name);

/* The integral over time between two times that the series covers. */
double timeseries_integral(const struct timeseries *s, double from, double to);

/* The same of the absolute value. */
double timeseries_size(const struct timeseries *s, double from, double to);

void timeseries_free(struct timeseries *s); /* accepts a zeroed or freed struct */

#endif
