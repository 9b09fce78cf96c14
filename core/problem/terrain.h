/* Runs over measured terrain: from rasters to a problem. */
#ifndef SHOAL_TERRAIN_H
#define SHOAL_TERRAIN_H

#include "core/options/run_config.h"
#include "core/netcdf/netcdf_file.h"

/* Reads the run's input as terrain, the water of --level or --depth, and what else a netCDF file
 * provides. Free with nc_input_free, also after a failure. */
enum err terrain_read(const struct config *c, struct nc_input *in);

#endif
