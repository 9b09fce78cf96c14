/* Coordinate systems in netCDF files: the CF conventions' grid_mapping. */
#ifndef SHOAL_NETCDF_MAPPING_H
#define SHOAL_NETCDF_MAPPING_H

#include "core/netcdf/variables.h"

#define NCMAPPING_NAME "crs"

/* The well-known text of the system that a variable's grid_mapping names, or one made from that
 * mapping's parameters; null if it is missing or unsupported. The caller frees it. */
enum err ncmapping_read(const struct ncaccess *f, int var, char **wkt);

/* Defines the variable NCMAPPING_NAME for a system, by that text and, for projections in the
 * conventions, their attributes; `status` is netCDF's. */
void ncmapping_define(int id, const char *wkt, int *status);

#endif
