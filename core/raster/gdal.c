/* Rasters of any format that GDAL reads. */
#include "core/raster/readers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/raster/gdal_api.h"
#include "core/base/paths.h"
#include "core/base/input_files.h"
#include "core/raster/length_units.h"

/* Values read at once, about. */
enum { STRIP_VALUES = 1 << 22 };

struct opened {
    const char *path;
    enum quantity q;
    GDALDatasetH set;
    GDALRasterBandH band, mask; /* mask: null where every value counts */
    int nx, ny;
    double six
        [6]; /* x = six[0] + column six[1] + row six[2], y = six[3] + column six[4] + row six[5] */
    double scale, offset;
};

static enum err failed(const struct opened *o)
{
    const char *message = gdal_api.CPLGetLastErrorMsg();
    FAIL(INPUT, "%s: GDAL cannot read it: %s", o->path, *message ? message : "it does not say why");
}

static double middle_x(const struct opened *o)
{
    return o->six[0] + 0.5 * o->nx * o->six[1];
}

static double middle_y(const struct opened *o)
{
    return o->six[3] + 0.5 * o->ny * o->six[5];
}

static enum err find_place(struct opened *o)
{
    if (gdal_api.GDALGetGeoTransform(o->set, o->six) != CE_NONE)
        FAIL(INPUT,
             "%s: does not say where it lies: add that, such as by `gdal_translate -a_ullr WEST "
             "NORTH EAST SOUTH %s placed.tif`, in metres",
             o->path, o->path);
    for (int k = 0; k < 6; k++)
        if (!isfinite(o->six[k]))
            FAIL(INPUT, "%s: its place is not finite", o->path);
    if (o->six[2] != 0 || o->six[4] != 0)
        FAIL(INPUT, "%s: is rotated: turn it to the axes by `gdalwarp -r bilinear %s straight.tif`",
             o->path, o->path);
    if (o->six[1] == 0 || o->six[5] == 0)
        FAIL(INPUT, "%s: its cells have no size", o->path);
    return ERR_OK;
}

static enum err check_reference(const struct opened *o)
{
    OGRSpatialReferenceH reference = gdal_api.GDALGetSpatialRef(o->set);
    char *unit = NULL;
    if (!reference)
        return ERR_OK;
    if (gdal_api.OSRIsGeographic(reference))
        return raster_in_degrees(o->path, middle_x(o), middle_y(o));
    if (fabs(gdal_api.OSRGetLinearUnits(reference, &unit) - 1) > 1e-9)
        FAIL(INPUT,
             "%s: its coordinates are in '%s', and a run needs metres: project it to a system in "
             "metres, such as by `gdalwarp -t_srs EPSG:... %s projected.tif`",
             o->path, unit ? unit : "?", o->path);
    return ERR_OK;
}

static enum err find_band(struct opened *o)
{
    const int bands = gdal_api.GDALGetRasterCount(o->set);
    if (bands != 1)
        FAIL(INPUT,
             "%s: has %d bands: a field is one; take it out by `gdal_translate -b NUMBER %s "
             "one.tif`",
             o->path, bands, o->path);
    o->band = gdal_api.GDALGetRasterBand(o->set, 1);
    if (!o->band)
        return failed(o);
    if (gdal_api.GDALDataTypeIsComplex(gdal_api.GDALGetRasterDataType(o->band)))
        FAIL(INPUT, "%s: its values are complex numbers", o->path);
    if (!(gdal_api.GDALGetMaskFlags(o->band) & GMF_ALL_VALID))
        o->mask = gdal_api.GDALGetMaskBand(o->band);
    return ERR_OK;
}

static enum err find_units(struct opened *o)
{
    const char *unit = gdal_api.GDALGetRasterUnitType(o->band);
    o->scale = gdal_api.GDALGetRasterScale(o->band, NULL);
    o->offset = gdal_api.GDALGetRasterOffset(o->band, NULL);
    if (o->q == QUANTITY_MANNING || !unit || !*unit)
        return ERR_OK;
    const double metres = units_metres(unit);
    if (!(metres > 0))
        FAIL(INPUT,
             "%s: its values have the unit '%s', which is no length that is known (m, km, cm, "
             "mm, ft, US survey foot)",
             o->path, unit);
    o->scale *= metres;
    o->offset *= metres;
    return ERR_OK;
}

/* A row of the file, from its first column on, into its place. */
static enum err place_row(const struct opened *o, const double *from, const unsigned char *valid,
                          int row, struct raster *r)
{
    const size_t nx = (size_t)o->nx;
    const int up = o->six[5] < 0, left = o->six[1] < 0;
    double *to = r->value + (size_t)(up ? o->ny - 1 - row : row) * nx;
    for (size_t i = 0; i < nx; i++) {
        double x = from[i];
        if (o->scale != 1 || o->offset != 0)
            x = x * o->scale + o->offset;
        if (valid && !valid[i])
            x = (double)NAN;
        if (isinf(x))
            FAIL(INPUT, "%s: the value in column %zu of row %d, counted from 0, is infinite",
                 o->path, i, row);
        to[left ? nx - 1 - i : i] = x;
    }
    return ERR_OK;
}

static enum err read_strips(const struct opened *o, int most, double *strip, unsigned char *valid,
                            struct raster *r)
{
    for (int row = 0; row < o->ny; row += most) {
        const int rows = o->ny - row < most ? o->ny - row : most;
        if (gdal_api.GDALRasterIO(o->band, GF_READ, 0, row, o->nx, rows, strip, o->nx, rows,
                                  GDT_FLOAT64, 0, 0) != CE_NONE ||
            (o->mask && gdal_api.GDALRasterIO(o->mask, GF_READ, 0, row, o->nx, rows, valid, o->nx,
                                              rows, GDT_BYTE, 0, 0) != CE_NONE))
            return failed(o);
        for (int k = 0; k < rows; k++) {
            const size_t at = (size_t)k * (size_t)o->nx;
            TRY(place_row(o, strip + at, o->mask ? valid + at : NULL, row + k, r));
        }
    }
    return ERR_OK;
}

static enum err read_values(const struct opened *o, struct raster *r)
{
    enum err e = ERR_OK;
    const int most = o->nx < STRIP_VALUES ? STRIP_VALUES / o->nx : 1;
    const size_t n = (size_t)o->nx * (size_t)(most < o->ny ? most : o->ny);
    double *strip = malloc(n * sizeof *strip);
    unsigned char *valid = malloc(n);
    if (strip && valid)
        e = read_strips(o, most, strip, valid, r);
    else
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "%s: no memory to read it", o->path);
    free(strip);
    free(valid);
    return e;
}

static enum err read_set(struct opened *o, struct raster *r)
{
    o->nx = gdal_api.GDALGetRasterXSize(o->set);
    o->ny = gdal_api.GDALGetRasterYSize(o->set);
    TRY(find_place(o));
    TRY(check_reference(o));
    TRY(find_band(o));
    TRY(find_units(o));
    TRY(raster_allocate(o->path, o->nx, o->ny, r));
    const double x1 = o->six[0] + o->nx * o->six[1], y1 = o->six[3] + o->ny * o->six[5];
    r->grid = (struct grid_info){
        o->nx, o->ny, fmin(o->six[0], x1), fmin(o->six[3], y1), fabs(o->six[1]), fabs(o->six[5])};
    return read_values(o, r);
}

/* A raster may be made of several files. */
static void note_files(const struct opened *o)
{
    char **files = gdal_api.GDALGetFileList(o->set);
    for (char **f = files; f && *f; f++)
        input_files_note(*f);
    gdal_api.CSLDestroy(files);
}

enum err raster_read_gdal(const char *path, enum quantity q, struct raster *r)
{
    char why[3 * PATH_LENGTH];
    struct opened o = {.path = path, .q = q};
    enum err e = ERR_OK;
    if (!gdal_api_open(why, sizeof why))
        FAIL(ABSENT,
             "%s: is neither netCDF nor an ESRI ASCII grid, which begins with ncols; GDAL reads "
             "others, but %s",
             path, why);
    gdal_api.CPLPushErrorHandler(gdal_api.CPLQuietErrorHandler);
    gdal_api.CPLErrorReset();
    o.set = gdal_api.GDALOpen(path, GA_READONLY);
    if (o.set) {
        note_files(&o);
        e = read_set(&o, r);
    } else {
        e = err_set(ERR_INPUT, __FILE__, __LINE__,
                    "%s: is neither netCDF nor an ESRI ASCII grid, which begins with ncols, and "
                    "GDAL says: %s",
                    path, gdal_api.CPLGetLastErrorMsg());
    }
    if (o.set)
        gdal_api.GDALClose(o.set);
    gdal_api.CPLPopErrorHandler();
    return e;
}
