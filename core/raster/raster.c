/* Which reader a file needs, and what all of them must heed. */
#include "core/raster/raster.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/mesh/crs.h"
#include "core/raster/readers.h"
#include "core/base/input_files.h"

const char *const quantity_names[QUANTITIES] = {
    [QUANTITY_TERRAIN] = "terrain",
    [QUANTITY_LEVEL] = "water level",
    [QUANTITY_DEPTH] = "water depth",
    [QUANTITY_MANNING] = "Manning's n",
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

enum err raster_read(const char *path, enum quantity q, struct raster *r)
{
    struct head h;
    enum err e = ERR_OK;
    *r = (struct raster){0};
    TRY(read_head(path, &h));
    if (is_netcdf(&h))
        e = raster_read_netcdf(path, q, r);
    else if (raster_is_esri(h.text))
        e = raster_read_esri(path, r);
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
        FAIL(INPUT, "--%s: '%s' is neither a number nor a file that is here", option, path);
    const enum err e = raster_read(path, q, r);
    if (e)
        err_context("--%s", option);
    return e;
}

void raster_free(struct raster *r)
{
    free(r->wkt);
    free(r->value);
    *r = (struct raster){0};
}

enum err raster_check_system(const char *path, const struct raster *r, const char *wkt,
                             const char *of)
{
    char own[CRS_LABEL], other[CRS_LABEL];
    if (!r->wkt || !wkt)
        return ERR_OK;
    const enum crs_verdict verdict = crs_compare(r->wkt, wkt);
    crs_label(r->wkt, own);
    crs_label(wkt, other);
    if (verdict == CRS_UNDECIDED)
        log_warning("%s: its system of coordinates, %s, may be another than that of %s, %s: that "
                    "cannot be told from what the files say",
                    path, own, of, other);
    if (verdict != CRS_DIFFERENT)
        return ERR_OK;
    struct crs c;
    char command[2 * CRS_NAME + 4096];
    crs_read(wkt, &c);
    if (strchr(c.authority, ':'))
        snprintf(command, sizeof command, "%s", c.authority);
    else
        snprintf(command, sizeof command, "\"$(gdalsrsinfo -o wkt1 %s)\"", of);
    FAIL(INPUT,
         "%s: its coordinates are of the system %s, and those of %s of %s: project it, such as by "
         "`gdalwarp -t_srs %s -r bilinear %s projected.tif` (gdalwarp comes with the package "
         "gdal-bin)",
         path, own, of, other, command, path);
}

enum err raster_take_for_corners(const char *path, struct raster *r)
{
    struct grid_info *g = &r->grid;
    if (g->nx < 2 || g->ny < 2)
        FAIL(INPUT, "%s: %d x %d values cannot be corners of cells: that takes 2 x 2", path, g->nx,
             g->ny);
    r->corners = 1;
    *g = (struct grid_info){g->nx - 1,           g->ny - 1, g->x0 + 0.5 * g->dx,
                            g->y0 + 0.5 * g->dy, g->dx,     g->dy};
    return ERR_OK;
}

enum err raster_check_size(const char *path, double columns, double rows)
{
    const double most = columns > rows ? columns : rows;
    if (!(columns >= 1 && rows >= 1))
        FAIL(INPUT, "%s: a grid of %.15g x %.15g values is none", path, columns, rows);
    if (most > GRID_MOST)
        FAIL(INPUT, "%s: has %.15g x %.15g values: a run may have at most %d along an axis", path,
             columns, rows, GRID_MOST);
    return ERR_OK;
}

enum err raster_allocate(const char *path, double columns, double rows, struct raster *r)
{
    TRY(raster_check_size(path, columns, rows));
    return memory_plane(path, (size_t)columns, (size_t)rows, &r->value);
}

enum err raster_in_degrees(const char *path, int known, double longitude, double latitude)
{
    if (!(fabs(longitude) <= 360 && fabs(latitude) <= 90))
        FAIL(
            INPUT,
            "%s: calls its coordinates degrees, but (%.9g, %.9g) are none: write it again with the "
            "system that they are in, such as by `gdal_translate -a_srs EPSG:32632 ...`",
            path, longitude, latitude);
    const double west = fmod(longitude + 540, 360); /* from 180 W on */
    const int zone = west >= 0 && west < 360 ? (int)(west / 6) + 1 : 1;
    FAIL(INPUT,
         "%s: its coordinates are degrees, and a run needs metres: project it first, such as by "
         "`gdalwarp %s-t_srs EPSG:%d -r bilinear %s projected.tif` (UTM zone %d; gdalwarp comes "
         "with the package gdal-bin)",
         path, known ? "" : "-s_srs EPSG:4326 ", (latitude < 0 ? 32700 : 32600) + zone, path, zone);
}

/* The text of the coordinates' unit, the last before anything of heights; null if there is none. */
static const char *find_unit(const char *wkt)
{
    const char *unit = NULL, *vertical = strstr(wkt, "VERT");
    for (const char *u = wkt; (u = strstr(u, "UNIT[\"")) && !(vertical && u > vertical);)
        unit = u += strlen("UNIT[\"");
    return unit;
}

enum err raster_check_reference(const char *path, const char *wkt, double x, double y)
{
    if (strstr(wkt, "GEOG") && !strstr(wkt, "PROJC") && !strstr(wkt, "LOCAL_CS"))
        return raster_in_degrees(path, 1, x, y);
    const char *unit = find_unit(wkt), *end = unit ? strchr(unit, '"') : NULL;
    if (!end || end[1] != ',' || fabs(strtod(end + 2, NULL) - 1) <= 1e-9)
        return ERR_OK;
    FAIL(INPUT,
         "%s: its coordinates are in '%.*s', and a run needs metres: project it to a system in "
         "metres, such as by `gdalwarp -t_srs EPSG:... %s projected.tif`",
         path, (int)(end - unit), unit, path);
}

/* Line ends and blanks between words go, and what a terminal would not show. */
static void make_one_line(char *wkt)
{
    int quoted = 0;
    char *to = wkt;
    for (const char *from = wkt; *from; from++) {
        quoted ^= *from == '"';
        if (quoted || !isspace((unsigned char)*from))
            *to++ = *from == '\n' ? ' ' : *from;
    }
    *to = '\0';
    printable(wkt);
}

enum err raster_keep_reference(const char *path, const char *wkt, struct raster *r)
{
    static const char *const begins[] = {"PROJCS", "PROJCRS", "COMPD_CS", "COMPOUNDCRS",
                                         "BOUNDCRS"};
    while (isspace((unsigned char)*wkt))
        wkt++;
    for (size_t k = 0; k < sizeof begins / sizeof *begins && !r->wkt; k++) {
        if (strncmp(wkt, begins[k], strlen(begins[k])) != 0)
            continue;
        r->wkt = strdup(wkt);
        if (!r->wkt)
            FAIL(MEMORY, "%s: no memory for its system of coordinates", path);
        make_one_line(r->wkt);
    }
    return ERR_OK;
}
