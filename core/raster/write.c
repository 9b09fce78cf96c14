/* GDAL gets plain numbers, and everything else as options: it may be installed without its
 * netCDF reader. */
#include "core/raster/write.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/output_file.h"
#include "core/base/subprocess.h"
#include "core/raster/gdal_folder.h"

static const char nodata[] = "-9999"; /* as in ESRI's grids */

void raster_format(float x, char text[24])
{
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, 24, "%.*g", digits, (double)x);
        if (strtof(text, NULL) == x)
            return;
    }
}

/* From north to south, as on paper maps. */
static enum err write_numbers(const struct raster_map *m, const char *path)
{
    const size_t nx = (size_t)m->grid.nx;
    FILE *f = fopen(path, "wb");
    int bad = !f;
    for (size_t j = (size_t)m->grid.ny; f && j-- > 0;)
        bad |= fwrite(m->value + j * nx, sizeof *m->value, nx, f) != nx;
    if (f)
        bad |= fclose(f) != 0;
    if (bad)
        FAIL(MACHINE, "%s: numbers cannot be written to %s: %s; TMPDIR names another place",
             m->source, path, strerror(errno));
    return ERR_OK;
}

static enum err write_header(const struct raster_map *m, const char *path)
{
    const int big_endian = (const union {
                               short number;
                               char byte[2];
                           }){1}
                               .byte[0] == 0;
    FILE *f = fopen(path, "w");
    if (!f)
        FAIL(MACHINE, "%s: %s cannot be written: %s; TMPDIR names another place", m->source, path,
             strerror(errno));
    fprintf(f,
            "ENVI\nsamples = %d\nlines = %d\nbands = 1\nheader offset = 0\nfile type = ENVI "
            "Standard\ndata type = 4\ninterleave = bsq\nbyte order = %d\n",
            m->grid.nx, m->grid.ny, big_endian);
    const int bad = ferror(f);
    if (fclose(f) != 0 || bad)
        FAIL(MACHINE, "%s: %s cannot be written; TMPDIR names another place", m->source, path);
    return ERR_OK;
}

/* gdal_translate gets the corners, the coordinate system and the map's description as options. */
static enum err translate(const struct raster_map *m, const char *from, const char *to)
{
    enum { ROOM = 40 };
    const struct grid_info *g = &m->grid;
    const double edge[4] = {g->x0, g->y0 + g->ny * g->dy, g->x0 + g->nx * g->dx, g->y0};
    char corner[4][ROOM], *about = NULL;
    struct program p;
    for (int k = 0; k < 4; k++)
        snprintf(corner[k], ROOM, "%.17g", edge[k]);
    if (asprintf(&about, "TIFFTAG_IMAGEDESCRIPTION=%s", m->about) < 0)
        FAIL(MEMORY, "no memory to write %s", to);
    const char *argv[] = {"gdal_translate",
                          "-q",
                          "-of",
                          "GTiff",
                          "-co",
                          "COMPRESS=DEFLATE",
                          "-co",
                          "PREDICTOR=3",
                          "-co",
                          "TILED=YES",
                          "-co",
                          "BIGTIFF=IF_SAFER",
                          "-a_nodata",
                          "nan",
                          "-a_ullr",
                          corner[0],
                          corner[1],
                          corner[2],
                          corner[3],
                          "-mo",
                          about,
                          "-mo",
                          "TIFFTAG_SOFTWARE=Shoal",
                          from,
                          to,
                          NULL,
                          NULL,
                          NULL};
    const size_t words = sizeof argv / sizeof *argv;
    if (m->wkt) {
        argv[words - 3] = "-a_srs";
        argv[words - 2] = m->wkt;
    }
    enum err e = program_start(&p, argv, NULL, 0, GDAL_PACKAGE);
    if (!e)
        e = program_end(&p);
    free(about);
    return e;
}

static enum err write_by_gdal(const struct raster_map *m, const struct gdal_folder *t,
                              const struct outfile *out)
{
    TRY(write_numbers(m, t->file[GDAL_NUMBERS]));
    TRY(write_header(m, t->file[GDAL_HEADER]));
    return translate(m, t->file[GDAL_NUMBERS], out->temporary);
}

enum err raster_write_gtiff(const char *path, const struct raster_map *m)
{
    struct outfile out;
    struct gdal_folder t;
    TRY(outfile_create(&out, path));
    enum err e = gdal_folder_make(m->source, &t);
    if (!e) {
        e = write_by_gdal(m, &t, &out);
        gdal_folder_remove(&t);
    }
    if (!e)
        e = outfile_publish(&out);
    else if (e == ERR_ABSENT)
        err_context("%s: GeoTIFF needs GDAL, and --format asc does not", path);
    else
        err_context("%s", path);
    outfile_discard(&out);
    return e;
}

static void print_esri(FILE *f, const void *context)
{
    const struct raster_map *m = context;
    const struct grid_info *g = &m->grid;
    const size_t nx = (size_t)g->nx;
    char text[24];
    fprintf(f, "ncols %d\nnrows %d\nxllcorner %.17g\nyllcorner %.17g\n", g->nx, g->ny, g->x0,
            g->y0);
    if (fabs(g->dx - g->dy) <= 1e-9 * g->dx)
        fprintf(f, "cellsize %.17g\n", g->dx);
    else /* an extension that GDAL and this program read */
        fprintf(f, "dx %.17g\ndy %.17g\n", g->dx, g->dy);
    fprintf(f, "NODATA_value %s\n", nodata);
    for (size_t j = (size_t)g->ny; j-- > 0;)
        for (size_t i = 0; i < nx; i++) {
            const float x = m->value[j * nx + i];
            raster_format(x, text);
            fputs(isfinite(x) ? text : nodata, f);
            fputc(i + 1 < nx ? ' ' : '\n', f);
        }
}

static void print_system(FILE *f, const void *context)
{
    fprintf(f, "%s\n", ((const struct raster_map *)context)->wkt);
}

enum err raster_write_esri(const char *path, const struct raster_map *m)
{
    char prj[PATH_LENGTH];
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    const size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
    if ((size_t)snprintf(prj, sizeof prj, "%.*s.prj", (int)stem, path) >= sizeof prj)
        FAIL(USAGE, "'%s': too long a name", path);
    if (m->wkt)
        TRY(outfile_print(prj, print_system, m));
    else if (access(prj, F_OK) == 0)
        log_warning("%s lies beside it, and %s does not say in which system its coordinates are: "
                    "delete it if it is of another map",
                    prj, m->source);
    return outfile_print(path, print_esri, m);
}
