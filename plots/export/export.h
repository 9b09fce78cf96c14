/* The settings of `shoal export`, and its writers. */
#ifndef SHOAL_EXPORT_H
#define SHOAL_EXPORT_H

#include "core/base/paths.h"
#include "core/netcdf/read_records.h"

enum export_format { EXPORT_GTIFF, EXPORT_ASC, EXPORT_CSV };
extern const char *const export_endings[]; /* ".tif", ... by format */

/* Defaults: "" for texts, -1 for the format, NAN for the number. */
struct export_settings {
    char variable[NCRECORDS_NAME], output[PATH_LENGTH], time[64];
    int format;
    double dry; /* m */
};

/* Writes a map of the file `from` to `to`: a grid, or in a table x, y and value of each cell that has one. */
enum err export_map(const struct export_settings *s, const char *from, const char *to);

/* Writes a table (core/netcdf/read_table.h) as CSV. */
enum err export_table(const struct export_settings *s, const char *from, const char *to);

#endif
