/* Maps for programs that do not read netCDF: GeoTIFF, through GDAL's tools, and ESRI ASCII
 * grids. */
#ifndef SHOAL_RASTER_WRITE_H
#define SHOAL_RASTER_WRITE_H

#include "core/base/err.h"
#include "core/mesh/grid.h"

struct raster_map {
    const char *source, *about; /* the file it comes from; a description, with units and time */
    struct grid_info grid;
    const char *wkt; /* of the coordinate system; null: unknown */
    const float *
        value; /* grid.ny rows of grid.nx, from south to north, each from west to east; NAN: no data */
};

/* Writes a file, complete or not at all. Fails with ERR_ABSENT if gdal_translate is not
 * installed. */
enum err raster_write_gtiff(const char *path, const struct raster_map *m);

/* The same, with a .prj file beside it if the system is known. */
enum err raster_write_esri(const char *path, const struct raster_map *m);

/* The fewest digits that give the same number; they need at most 24 characters. */
void raster_format(float x, char text[24]);

#endif
