/* Rasters of any format that GDAL reads, by its command-line tools: gdalinfo describes them, and
 * gdal_translate writes plain numbers. GDAL's netCDF output would not do: without a named
 * coordinate system it calls coordinates degrees, and it omits units and rotation. */
#include "core/raster/readers.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/input_files.h"
#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/base/plane.h"
#include "core/base/printable.h"
#include "core/base/subprocess.h"
#include "core/raster/gdal_folder.h"
#include "core/raster/length_units.h"

struct opened {
    const char *path;
    char name[PATH_LENGTH]; /* the same, protected from being read as an option or a connection
                             * string */
    enum quantity q;
    json_t *info;
    const json_t *band;
    int nx, ny;
    double six
        [6]; /* x = six[0] + column six[1] + row six[2], y = six[3] + column six[4] + row six[5] */
    double scale, offset;
};

/* JSON is UTF-8, but gdalinfo copies names and descriptions in any encoding: '?' replaces other
 * bytes. */
static void make_utf8(char *text)
{
    for (int n; *text; text += n ? n : 1) {
        n = utf8_length(text);
        if (!n)
            *text = '?';
    }
}

/* Asks gdalinfo; the caller ends *info with json_decref. */
static enum err ask_gdalinfo(const char *path, const char *name, json_t **info)
{
    const char *const argv[] = {"gdalinfo", "-json", "-wkt_format", "WKT1", name, NULL};
    char *text = NULL;
    size_t size;
    enum err e = program_read(argv, GDAL_PACKAGE, &text, &size);
    if (!e) {
        make_utf8(text);
        e = json_read("gdalinfo", text, size, info);
    }
    free(text);
    if (e == ERR_ABSENT)
        err_context("%s: is neither netCDF, nor an ESRI ASCII grid, which begins with ncols, nor "
                    "x, y and z in columns; GDAL "
                    "reads others, but",
                    path);
    if (e == ERR_MACHINE || e == ERR_INPUT) {
        err_context("%s: is neither netCDF, nor an ESRI ASCII grid, which begins with ncols, nor "
                    "x, y and z in columns, and "
                    "GDAL cannot read it",
                    path);
        return ERR_INPUT;
    }
    return e;
}

static double number_at(const json_t *list, size_t k)
{
    return json_number_value(json_array_get(list, k));
}

static enum err find_place(struct opened *o)
{
    const json_t *six = json_object_get(o->info, "geoTransform");
    if (json_array_size(six) != 6)
        FAIL(INPUT,
             "%s: its position is missing: add it, such as by `gdal_translate -a_ullr WEST NORTH "
             "EAST SOUTH %s placed.tif`, in metres",
             o->path, o->path);
    for (size_t k = 0; k < 6; k++)
        o->six[k] = number_at(six, k);
    if (o->six[2] != 0 || o->six[4] != 0)
        FAIL(INPUT,
             "%s: is rotated: align it with the axes by `gdalwarp -r bilinear %s straight.tif`",
             o->path, o->path);
    if (o->six[1] == 0 || o->six[5] == 0)
        FAIL(INPUT, "%s: its cells have no size", o->path);
    return ERR_OK;
}

static enum err check_reference(const struct opened *o, struct raster *r)
{
    const json_t *system = json_object_get(o->info, "coordinateSystem");
    const char *wkt = json_text(system, "wkt");
    if (!system)
        return ERR_OK;
    if (!wkt || !*wkt)
        FAIL(INPUT,
             "%s: Shoal does not understand its coordinate system: project it to one in metres, "
             "such as by `gdalwarp -t_srs EPSG:... %s projected.tif`",
             o->path, o->path);
    TRY(raster_keep_reference(o->path, wkt, r));
    TRY(raster_compare_projection(o->path, r));
    return raster_check_reference(o->path, wkt, o->six[0] + 0.5 * o->nx * o->six[1],
                                  o->six[3] + 0.5 * o->ny * o->six[5]);
}

static enum err find_band(struct opened *o)
{
    const json_t *bands = json_object_get(o->info, "bands");
    if (json_array_size(bands) != 1)
        FAIL(INPUT,
             "%s: has %zu bands: expected one; extract it by `gdal_translate -b NUMBER %s one.tif`",
             o->path, json_array_size(bands), o->path);
    o->band = json_array_get(bands, 0);
    const char *type = json_text(o->band, "type");
    if (type && *type == 'C')
        FAIL(INPUT, "%s: its values are complex numbers", o->path);
    return ERR_OK;
}

static enum err find_units(struct opened *o)
{
    const char *unit = json_text(o->band, "unit");
    const json_t *scale = json_object_get(o->band, "scale");
    o->scale = scale ? json_number_value(scale) : 1;
    o->offset = json_number_value(json_object_get(o->band, "offset"));
    if (o->q == QUANTITY_MANNING || o->q == QUANTITY_TRACER || o->q == QUANTITY_SEDIMENT || !unit ||
        !*unit)
        return ERR_OK;
    const double metres = units_metres(unit);
    if (!(metres > 0))
        FAIL(INPUT,
             "%s: its values: expected a unit of length (m, km, cm, mm, ft, US survey foot), got "
             "'%s'",
             o->path, unit);
    o->scale *= metres;
    o->offset *= metres;
    return ERR_OK;
}

/* Puts a row of the file, from its first column on, into place: the values and then, for each,
 * whether it is valid. */
static enum err place_row(const struct opened *o, const double *from, int row, struct raster *r)
{
    const size_t nx = (size_t)o->nx;
    const int up = o->six[5] < 0, left = o->six[1] < 0;
    double *to = r->value + (size_t)(up ? o->ny - 1 - row : row) * nx;
    for (size_t i = 0; i < nx; i++) {
        double x = from[i];
        if (o->scale != 1 || o->offset != 0)
            x = x * o->scale + o->offset;
        if (from[nx + i] == 0)
            x = (double)NAN;
        if (isinf(x))
            FAIL(INPUT, "%s: the value in column %zu of row %d, counted from 0, is infinite",
                 o->path, i, row);
        to[left ? nx - 1 - i : i] = x;
    }
    planes_touched(nx);
    return ERR_OK;
}

static enum err read_rows(const struct opened *o, FILE *numbers, struct raster *r)
{
    enum err e = ERR_OK;
    const size_t n = 2 * (size_t)o->nx;
    double *row = malloc(n * sizeof *row);
    if (!row)
        FAIL(MEMORY, "%s: no memory to read it", o->path);
    for (int k = 0; k < o->ny && !e; k++)
        if (fread(row, sizeof *row, n, numbers) == n)
            e = place_row(o, row, k, r);
        else
            e = err_set(ERR_MACHINE, __FILE__, __LINE__,
                        "%s: gdal_translate wrote only a part of it", o->path);
    free(row);
    return e;
}

/* Writes the band and its mask row by row as plain numbers. */
static enum err translate(const struct opened *o, const char *to)
{
    struct program p;
    const char *const argv[] = {
        "gdal_translate", "-q", "-of", "ENVI", "-co",  "INTERLEAVE=BIL", "-ot",
        "Float64",        "-b", "1",   "-b",   "mask", "-mask",          "none",
        o->name,          to,   NULL};
    TRY(program_start(&p, argv, NULL, 0, GDAL_PACKAGE));
    if (!program_end(&p))
        return ERR_OK;
    err_context("%s: GDAL cannot read it, or write %s", o->path, to);
    return ERR_INPUT;
}

static enum err read_values(const struct opened *o, struct raster *r)
{
    struct gdal_folder t;
    FILE *numbers = NULL;
    TRY(gdal_folder_make(o->path, &t));
    enum err e = translate(o, t.file[0]);
    if (!e) {
        numbers = fopen(t.file[0], "rb");
        if (!numbers)
            e = err_set(ERR_MACHINE, __FILE__, __LINE__, "%s: %s cannot be read: %s", o->path,
                        t.file[0], strerror(errno));
    }
    gdal_folder_remove(&t); /* an open file can still be read */
    if (numbers) {
        e = read_rows(o, numbers, r);
        fclose(numbers);
    }
    return e;
}

/* A raster may be made of several files. */
static void note_files(const struct opened *o)
{
    const json_t *list = json_object_get(o->info, "files");
    for (size_t k = 0; k < json_array_size(list); k++) {
        const char *name = json_string_value(json_array_get(list, k));
        if (name)
            input_files_note(name);
    }
}

static enum err read_set(struct opened *o, struct raster *r)
{
    const json_t *size = json_object_get(o->info, "size");
    const double nx = number_at(size, 0), ny = number_at(size, 1);
    note_files(o);
    TRY(find_place(o));
    TRY(raster_check_size(o->path, nx, ny));
    o->nx = (int)nx;
    o->ny = (int)ny;
    TRY(check_reference(o, r));
    TRY(find_band(o));
    TRY(find_units(o));
    TRY(raster_allocate(o->path, nx, ny, r));
    const double x1 = o->six[0] + o->nx * o->six[1], y1 = o->six[3] + o->ny * o->six[5];
    r->grid = (struct grid_info){
        o->nx, o->ny, fmin(o->six[0], x1), fmin(o->six[3], y1), fabs(o->six[1]), fabs(o->six[5])};
    return read_values(o, r);
}

enum err raster_read_gdal(const char *path, enum quantity q, struct raster *r)
{
    struct opened o = {.path = path, .q = q};
    if (snprintf(o.name, sizeof o.name, "%s%s", *path == '/' ? "" : "./", path) >= PATH_LENGTH)
        FAIL(INPUT, "%s: the name is too long", path);
    TRY(ask_gdalinfo(path, o.name, &o.info));
    const enum err e = read_set(&o, r);
    json_decref(o.info);
    return e;
}

enum err raster_gdal_version(char text[64])
{
    const char *const argv[] = {"gdalinfo", "--version", NULL};
    char *said = NULL;
    size_t size;
    TRY(program_read(argv, GDAL_PACKAGE, &said, &size));
    const char *version = said + strcspn(said, " ") + (strchr(said, ' ') != NULL); /* GDAL 3.6.2, */
    snprintf(text, 64, "%.*s", (int)strcspn(version, ",\n"), version);
    free(said);
    return ERR_OK;
}
