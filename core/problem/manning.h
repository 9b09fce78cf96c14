/* Manning's n of a run: a number, or one for each cell. */
#ifndef SHOAL_MANNING_H
#define SHOAL_MANNING_H

#include "core/options/run_config.h"
#include "core/netcdf/netcdf_file.h"

/* Sets in->manning and in->manning_of: --manning overrides what they hold, from a file or NAN, and
 * that overrides `usual`. If all cells have the same n it becomes the number. Fails on values that
 * cannot be Manning's n. */
enum err manning_choose(const struct config *c, const struct grid_info *g, double usual,
                        struct nc_input *in);

/* Reads a raster on the grid g into in->manning_of. Walls need no value. */
enum err manning_read(const char *path, const struct grid_info *g, struct nc_input *in);

#endif
