/* Chooses the reader for a file, and applies the common checks. */
#include "core/raster/raster.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/log.h"
#include "core/base/plane.h"
#include "core/base/printable.h"
#include "core/mesh/crs.h"
#include "core/raster/readers.h"
#include "core/base/input_files.h"

const char *const quantity_names[QUANTITIES] = {
    [QUANTITY_TERRAIN] = "terrain",   [QUANTITY_LEVEL] = "water level",
    [QUANTITY_DEPTH] = "water depth", [QUANTITY_MANNING] = "Manning's n",
    [QUANTITY_TRACER] = "tracer",     [QUANTITY_RAIN] = "rain",
    [QUANTITY_SOIL] = "soil",         [QUANTITY_SEDIMENT] = "sediment",
};

/* The first bytes of a file, and a NUL. */
struct head {
    char text[256];
    size_t n;
};

static enum err read_head(const char *path, struct head *h)
{
    struct stat s;
    if (stat(path, &s) != 0)
        FAIL(INPUT, "%s: cannot be read: %s", path, strerror(errno));
    if (!S_ISREG(s.st_mode))
        FAIL(INPUT, "%s: is not a file", path);
    FILE *f = fopen(path, "rb");
    if (!f)
        FAIL(INPUT, "%s: cannot be read: %s", path, strerror(errno));
    input_files_note(path);
    h->n = fread(h->text, 1, sizeof h->text - 1, f);
    const int failed = ferror(f);
    fclose(f);
    if (failed)
        FAIL(INPUT, "%s: cannot be read", path);
    if (h->n == 0)
        FAIL(INPUT, "%s: is empty", path);
    h->text[h->n] = '\0';
    return ERR_OK;
}

/* The classic formats, and HDF5, which netCDF-4 files are. */
static int is_netcdf(const struct head *h)
{
    static const char hdf5[] = "\211HDF\r\n\032\n";
    return (h->n >= 4 && memcmp(h->text, "CDF", 3) == 0) ||
           (h->n >= sizeof hdf5 - 1 && memcmp(h->text, hdf5, sizeof hdf5 - 1) == 0);
}

enum err raster_is_netcdf(const char *path, int *yes)
{
    struct head h;
    TRY(read_head(path, &h));
    *yes = is_netcdf(&h);
    return ERR_OK;
}

enum err raster_is_table(const char *path, int *yes)
{
    struct head h;
    TRY(read_head(path, &h));
    size_t text = 0;
    while (text < h.n &&
           ((unsigned char)h.text[text] >= ' ' || isspace((unsigned char)h.text[text])))
        text++;
    *yes = text == h.n && h.text[strspn(h.text, " \t\r\n")] != '<' && !is_netcdf(&h) &&
           !raster_is_esri(h.text) && !raster_is_xyz(h.text);
    return ERR_OK;
}

enum err raster_read(const char *path, enum quantity q, struct raster *r)
{
    struct head h;
    enum err e = ERR_OK;
    *r = (struct raster){.since = (double)NAN};
    TRY(read_head(path, &h));
    if (is_netcdf(&h))
        e = raster_read_netcdf(path, q, r);
    else if (raster_is_esri(h.text))
        e = raster_read_esri(path, r);
    else if (raster_is_xyz(h.text))
        e = raster_read_xyz(path, r);
    else
        e = raster_read_gdal(path, q, r);
    if (e)
        raster_free(r);
    return e;
}

enum err raster_read_option(const char *option, const char *path, enum quantity q, struct raster *r)
{
    struct stat s;
    *r = (struct raster){0};
    if (stat(path, &s) != 0)
        FAIL(INPUT, "--%s: expected a number or a readable file, got '%s'", option, path);
    const enum err e = raster_read(path, q, r);
    if (e)
        err_context("--%s", option);
    return e;
}

void raster_free(struct raster *r)
{
    free(r->wkt);
    plane_free(r->value);
    plane_free(r->time);
    *r = (struct raster){0};
}

enum err raster_take_for_corners(const char *path, struct raster *r)
{
    struct grid_info *g = &r->grid;
    if (g->nx < 2 || g->ny < 2)
        FAIL(INPUT, "%s: %d x %d values cannot be corners of cells: expected at least 2 x 2", path,
             g->nx, g->ny);
    r->corners = 1;
    *g = (struct grid_info){g->nx - 1,           g->ny - 1, g->x0 + 0.5 * g->dx,
                            g->y0 + 0.5 * g->dy, g->dx,     g->dy};
    return ERR_OK;
}

enum err raster_check_size(const char *path, double columns, double rows)
{
    const double most = columns > rows ? columns : rows;
    if (!(columns >= 1 && rows >= 1))
        FAIL(INPUT, "%s: %.15g x %.15g values are not a grid", path, columns, rows);
    if (most > GRID_MOST)
        FAIL(INPUT, "%s: has %.15g x %.15g values: a run may have at most %d along an axis", path,
             columns, rows, GRID_MOST);
    return ERR_OK;
}

enum err raster_allocate(const char *path, double columns, double rows, struct raster *r)
{
    TRY(raster_check_size(path, columns, rows));
    return plane_new(path, (size_t)columns, (size_t)rows, &r->value);
}
