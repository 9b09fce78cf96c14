/* What `shoal render` was asked for. */
#ifndef SHOAL_RENDER_SETTINGS_H
#define SHOAL_RENDER_SETTINGS_H

#include "core/netcdf/read_records.h"
#include "core/base/paths.h"

/* From where the flow is seen. */
enum view { FROM_ABOVE, FROM_THE_SIDE };

/* Texts are "" and numbers NAN where nothing was said, unless there is a default. */
struct settings {
    char variable[NCRECORDS_NAME], output[PATH_LENGTH], film[PATH_LENGTH], times[4096];
    char size[32], range[128], region[256], title[256];
    int every, cells, view; /* enum view */
    double fps, dry;
    double azimuth, elevation, exaggeration; /* degrees; NAN: chosen */
};

/* Draws `path` as `s` says, and prints what was written. */
enum err render(const struct settings *s, const char *path);

#endif
