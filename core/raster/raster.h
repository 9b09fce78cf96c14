/* A field on an even grid, from a file of any known format: netCDF, ESRI ASCII grid, and, if GDAL
 * is installed, what it reads, GeoTIFF above all. */
#ifndef SHOAL_RASTER_H
#define SHOAL_RASTER_H

#include "core/base/err.h"
#include "core/mesh/grid.h"

/* The quantity to read: in a netCDF file, which variable. */
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
    int certain;           /* the file itself says so; otherwise centres are assumed */
    char *wkt;             /* coordinate system; null if not given */
    double *value;         /* ny + corners rows of nx + corners, from south to north, each from west
                              to east, in SI units (rain: mm/h); NAN: no data. Of core/base/plane.h */
    int records; /* of rain alone: fields in time, one after the other; 0: one, of no time */
    double *time, since; /* of each, s, and what they count from, s since 1970; NAN: no date */
};

/* Reads a file; its content decides how. Fails with ERR_INPUT, or, if the file may be right, with
 * ERR_ABSENT or ERR_MEMORY; the message names the file. Free with raster_free, also after a
 * failure. */
enum err raster_read(const char *path, enum quantity q, struct raster *r);

/* The same for a file given to an option that also takes a number. */
enum err raster_read_option(const char *option, const char *path, enum quantity q,
                            struct raster *r);
void raster_free(struct raster *r); /* accepts a zeroed or freed raster */

/* Sets *yes for a text that is not a raster but another table. Fails if the file cannot be read. */
enum err raster_is_table(const char *path, int *yes);

/* Sets *yes for a netCDF file, whatever it contains. Fails if the file cannot be read. */
enum err raster_is_netcdf(const char *path, int *yes);

/* Brings the raster to these cells: unchanged if they are its own, else resampled, a level
 * bilinearly and everything else by the nearest, which it logs. `of` says whose cells they are.
 * Fails if the raster does not cover them, or its values belong to corners. */
enum err raster_fit(const char *path, struct raster *r, const struct grid_info *g, const char *of,
                    enum quantity q);

/* The column of the raster that contains each of nx columns of these cells, and the row: for data
 * that keep their own cells. Logs and fails as raster_fit does. */
enum err raster_places(const char *path, const struct raster *r, const struct grid_info *g,
                       const char *of, int *column, int *row);

/* Fails if the raster has another coordinate system than `wkt`, that of the file `of`; warns if
 * that cannot be decided. Either may be unspecified. */
enum err raster_check_system(const char *path, const struct raster *r, const char *wkt,
                             const char *of);

/* The error for coordinates in degrees: how to project them. The point lies in the raster. `known`:
 * the file names the system. */
enum err raster_in_degrees(const char *path, int known, double longitude, double latitude);

/* "3.6.2"; fails with ERR_ABSENT if it is not installed. */
enum err raster_gdal_version(char text[64]);

/* Converts values at centres to values at corners: there is one row and one column of cells less. */
enum err raster_take_for_corners(const char *path, struct raster *r);

/* "terrain", "water level", ... */
extern const char *const quantity_names[QUANTITIES];

#endif
