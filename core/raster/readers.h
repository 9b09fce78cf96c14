/* The readers behind core/raster/raster.h, one for each kind of file. None keeps state between
 * calls; each checks what a file claims before it allocates memory for it. */
#ifndef SHOAL_RASTER_READERS_H
#define SHOAL_RASTER_READERS_H

#include <stdio.h>

#include "core/raster/raster.h"

enum err raster_read_netcdf(const char *path, enum quantity q, struct raster *r);
enum err raster_read_gdal(const char *path, enum quantity q, struct raster *r);

/* An ESRI ASCII grid, with the .prj file beside it, if any. `path` names a stream in messages. */
enum err raster_read_esri(const char *path, struct raster *r);
enum err raster_parse_esri(FILE *f, const char *path, struct raster *r);

/* Does this text begin such a grid? */
int raster_is_esri(const char *text);

/* Fails if a run cannot have this many columns and rows of values. */
enum err raster_check_size(const char *path, double columns, double rows);

/* Allocates columns x rows values, if a run can have this many. */
enum err raster_allocate(const char *path, double columns, double rows, struct raster *r);

/* Fails unless the coordinates of a system, given as WKT 1, are metres. The point lies in the
 * raster. */
enum err raster_check_reference(const char *path, const char *wkt, double x, double y);

/* A table of x, y and z, with the .prj file beside it, if any. `path` names a stream in
 * messages. */
enum err raster_read_xyz(const char *path, struct raster *r);
enum err raster_parse_xyz(FILE *f, const char *path, struct raster *r);

/* Does this text begin such a table? */
int raster_is_xyz(const char *text);

/* Reads the coordinate system from the .prj file beside a raster, if any; (x, y) is a point of
 * the raster. */
enum err raster_read_projection(const char *path, double x, double y, struct raster *r);

/* Warns if the .prj file beside a raster contradicts the system that the raster itself declares. */
enum err raster_compare_projection(const char *path, const struct raster *r);

/* Keeps the text of a coordinate system if it is well-known text. */
enum err raster_keep_reference(const char *path, const char *wkt, struct raster *r);

#endif
