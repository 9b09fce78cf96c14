/* Maps for programs that know no netCDF: GeoTIFF, by GDAL's tools, and ESRI ASCII grids. */
#ifndef SHOAL_RASTER_WRITE_H
#define SHOAL_RASTER_WRITE_H

#include "core/base/err.h"
#include "core/mesh/grid.h"

struct raster_map {
    const char *source, *about; /* the file it comes from; what it is, with units and time */
    struct grid_info grid;
    const char *wkt; /* of the system of the coordinates; null: not known */
    const float *
        value; /* grid.ny rows of grid.nx, from south to north, each from west to east; NAN: no data */
};

/* Writes a file, complete or not at all. Fails with ERR_ABSENT where gdal_translate is not installed. */
enum err raster_write_gtiff(const char *path, const struct raster_map *m);

/* The same, with a .prj beside it where the system is known. */
enum err raster_write_esri(const char *path, const struct raster_map *m);

/* The fewest digits that give the same number; a text of 24 characters holds them. */
void raster_format(float x, char text[24]);

#endif
