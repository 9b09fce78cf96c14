/* The readers behind core/raster/raster.h, one for each kind of file. None keeps anything between calls; what
 * a file claims is checked before memory is taken for it. */
#ifndef SHOAL_RASTER_READERS_H
#define SHOAL_RASTER_READERS_H

#include <stdio.h>

#include "core/raster/raster.h"

enum err raster_read_netcdf(const char *path, enum quantity q, struct raster *r);
enum err raster_read_gdal(const char *path, enum quantity q, struct raster *r);

/* An ESRI ASCII grid; with the .prj beside it, if there is one. `path` is what messages call a stream. */
enum err raster_read_esri(const char *path, struct raster *r);
enum err raster_parse_esri(FILE *f, const char *path, struct raster *r);

/* True for the beginning of such a grid. */
int raster_is_esri(const char *text);

/* Fails unless a run may have so many columns and rows of values. */
enum err raster_check_size(const char *path, double columns, double rows);

/* Room for columns x rows values, if a run may have so many. */
enum err raster_allocate(const char *path, double columns, double rows, struct raster *r);

/* Fails unless the coordinates of a system, as WKT of the first kind, are metres. The point lies in the raster.
 */
enum err raster_check_reference(const char *path, const char *wkt, double x, double y);

/* A table of x, y and z; with the .prj beside it, if there is one. `path` is what messages call a stream. */
enum err raster_read_xyz(const char *path, struct raster *r);
enum err raster_parse_xyz(FILE *f, const char *path, struct raster *r);

/* True for the beginning of such a table. */
int raster_is_xyz(const char *text);

/* What a .prj file beside a raster says, if there is one, of its coordinates, of which (x, y) are some. */
enum err raster_read_projection(const char *path, double x, double y, struct raster *r);

/* Keeps the text of a system if it is well-known text. */
enum err raster_keep_reference(const char *path, const char *wkt, struct raster *r);

#endif
