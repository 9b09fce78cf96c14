/* The settings of `shoal render`. */
#ifndef SHOAL_RENDER_SETTINGS_H
#define SHOAL_RENDER_SETTINGS_H

#include "core/netcdf/read_records.h"
#include "core/base/paths.h"

/* The view point. */
enum view { FROM_ABOVE, FROM_THE_SIDE };

/* Unset texts are "" and unset numbers NAN, unless there is a default. */
struct settings {
    char variable[NCRECORDS_NAME], output[PATH_LENGTH], film[PATH_LENGTH], times[4096];
    char size[32], range[128], region[256], title[256];
    int every, cells, tiles, view; /* enum view */
    double fps, dry;
    double azimuth, elevation, exaggeration; /* degrees; NAN: chosen */
};

/* Draws `path` by the settings `s`, and prints the files that it wrote. */
enum err render(const struct settings *s, const char *path);

#endif
