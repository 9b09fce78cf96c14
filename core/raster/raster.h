/* A field on an even grid, from a file of any format that is known: netCDF, ESRI ASCII grid, and what
 * GDAL reads where it is installed, GeoTIFF first of all. */
#ifndef SHOAL_RASTER_H
#define SHOAL_RASTER_H

#include "core/base/err.h"
#include "core/mesh/grid.h"

/* What a file is asked for: of a netCDF file, which variable. */
enum quantity {
    QUANTITY_TERRAIN,
    QUANTITY_LEVEL,
    QUANTITY_DEPTH,
    QUANTITY_MANNING,
    QUANTITY_TRACER,
    QUANTITY_RAIN,
    QUANTITY_SOIL,
    QUANTITY_SEDIMENT,
    QUANTITIES
};

struct raster {
    struct grid_info grid; /* values belong to the centres of its cells, or to their corners */
    int corners;           /* 1: to corners */
    int certain;           /* the file itself says so; else they are taken for centres */
    char *wkt;             /* of the system of its coordinates; null where nothing is said of it */
    double *value;         /* ny + corners rows of nx + corners, from south to north, each from west
                              to east, in SI units (rain: mm/h); NAN: no data. Of core/base/plane.h */
    int records; /* of rain alone: fields in time, one after the other; 0: one, of no time */
    double *time, since; /* of each, s, and what they count from, s since 1970; NAN: no date */
};

/* Reads a file; its content decides how. Fails with ERR_INPUT, or with ERR_ABSENT or ERR_MEMORY where
 * the file may be right; the message names the file. Free with raster_free, also after a failure. */
enum err raster_read(const char *path, enum quantity q, struct raster *r);

/* The same for a file that an option names where it could have a number. */
enum err raster_read_option(const char *option, const char *path, enum quantity q,
                            struct raster *r);
void raster_free(struct raster *r); /* accepts a zeroed or freed raster */

/* True in *yes for a text that is no raster: a table of something else. Fails where the file cannot be read. */
enum err raster_is_table(const char *path, int *yes);

/* True in *yes for a netCDF file, whatever is in it. Fails where the file cannot be read. */
enum err raster_is_netcdf(const char *path, int *yes);

/* Brings the raster to these cells: as it is where they are its own, else resampled, a level bilinearly and all
 * else by the nearest, which the log says. `of` says whose they are. Fails where the raster does not cover
 * them, or its values belong to corners. */
enum err raster_fit(const char *path, struct raster *r, const struct grid_info *g, const char *of,
                    enum quantity q);

/* The column of the raster that each of nx columns of these cells lies in, and the row: for what stays on its own
 * cells. Logs and fails as raster_fit does. */
enum err raster_places(const char *path, const struct raster *r, const struct grid_info *g,
                       const char *of, int *column, int *row);

/* Fails where the raster lies in another system of coordinates than `wkt`, which is that of the file `of`, and
 * warns where that cannot be told. Either may say nothing of it. */
enum err raster_check_system(const char *path, const struct raster *r, const char *wkt,
                             const char *of);

/* The error for coordinates in degrees: how to project them. The point lies in the raster. `known`: the file
 * says of which system they are. */
enum err raster_in_degrees(const char *path, int known, double longitude, double latitude);

/* "3.6.2"; fails with ERR_ABSENT where it is not installed. */
enum err raster_gdal_version(char text[64]);

/* Takes values at centres for values at corners: there is a row and a column of cells less. */
enum err raster_take_for_corners(const char *path, struct raster *r);

/* "terrain", "water level", ... */
extern const char *const quantity_names[QUANTITIES];

#endif
