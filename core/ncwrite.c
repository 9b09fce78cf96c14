/* Writing netCDF: into a temporary file, record by record, moved to its place when complete. */
#include "core/ncfile.h"

#include <stdio.h>
#include <string.h>

static const char *const variable_names[OUTPUT_VARIABLES] = {"w", "h", "hu", "hv"};

enum err ncwrite_variables(const char *list, unsigned *set)
{
    *set = 0;
    for (const char *name = list; *name;) {
        size_t n = strcspn(name, ","), k = 0;
        while (k < OUTPUT_VARIABLES &&
               (strlen(variable_names[k]) != n || strncmp(variable_names[k], name, n) != 0))
            k++;
        if (k == OUTPUT_VARIABLES)
            FAIL(USAGE, "unknown variable '%.*s' in '%s': choose from w,h,hu,hv", (int)n, name,
                 list);
        *set |= 1u << k;
        name += n;
        if (*name && !*++name)
            FAIL(USAGE, "'%s' ends with a comma: choose from w,h,hu,hv", list);
    }
    *set = *set ? *set : OUTPUT_ALL;
    return ERR_OK;
}

#ifdef HAVE_NETCDF

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "core/ncaccess.h"
#include "core/outfile.h"

/* On a smooth wave of 2048x2048 cells level 1 with shuffling halves the file; without shuffling it
 * saves a fifth, and level 9 takes three times as long for 5 % less. */
enum { DEFLATE_LEVEL = 1, CHUNK_SIDE = 1024, CHUNK_VALUES = CHUNK_SIDE * CHUNK_SIDE };

struct ncwriter {
    struct ncwrite_info info;
    struct outfile file;
    int id; /* of the netCDF file; -1: not open */
    int dim_x, dim_y, dim_xc, dim_yc, dim_time;
    int bed, bed_corner, time, fields[OUTPUT_VARIABLES];
    size_t records;
    void *tile; /* CHUNK_VALUES reals */
};

/* What a plane of the file is made of. */
enum content { COPY, BED_MEAN, DEPTH };

struct plane {
    int var;
    enum content content;
    const void *data; /* not for BED_MEAN */
    long pitch;
    size_t nx, ny;
    int timed; /* one of a record */
};

/* netCDF reports a full disk as "HDF error"; errno, if it survived, says what it was. */
static enum err netcdf_failed(const struct ncwriter *w, int status, int error)
{
    if (status == NC_ENOMEM)
        FAIL(MEMORY, "cannot write '%s': netCDF is out of memory", w->file.path);
    return outfile_failed(&w->file, error, nc_strerror(status));
}

/* Runs a netCDF call of the writer `w`; returns from the caller if it fails. */
#define NC(call)                                       \
    do {                                               \
        errno = 0;                                     \
        int nc_status = (call);                        \
        if (nc_status != NC_NOERR)                     \
            return netcdf_failed(w, nc_status, errno); \
    } while (0)

static enum err put_text(const struct ncwriter *w, int var, const char *name, const char *text)
{
    NC(nc_put_att_text(w->id, var, name, strlen(text), text));
    return ERR_OK;
}

/* What is known of a variable; null: no such attribute. */
struct label {
    const char *name, *title, *standard, *units, *axis;
};

static enum err label(const struct ncwriter *w, int var, const struct label *l)
{
    TRY(put_text(w, var, "long_name", l->title));
    if (l->standard)
        TRY(put_text(w, var, "standard_name", l->standard));
    TRY(put_text(w, var, "units", l->units));
    if (l->axis)
        TRY(put_text(w, var, "axis", l->axis));
    return ERR_OK;
}

/* Coordinates are double in every file. */
static enum err define_axis(const struct ncwriter *w, const struct label *l, int n, int *dim,
                            int *var)
{
    NC(nc_def_dim(w->id, l->name, n ? (size_t)n : NC_UNLIMITED, dim));
    NC(nc_def_var(w->id, l->name, NC_DOUBLE, 1, dim, var));
    return label(w, *var, l);
}

static enum err put_axis(const struct ncwriter *w, int var, int n,
                         double (*at)(const struct grid_info *, int))
{
    double *x = malloc((size_t)n * sizeof *x);
    if (!x)
        FAIL(MEMORY, "no memory for %d coordinates of '%s'", n, w->file.path);
    for (int i = 0; i < n; i++)
        x[i] = at(&w->info.grid, i);
    errno = 0;
    int status = nc_put_var_double(w->id, var, x), error = errno;
    free(x);
    return status ? netcdf_failed(w, status, error) : ERR_OK;
}

/* The cell centres of a file do not give back the grid to the last bit; these two do. */
static enum err put_origin(const struct ncwriter *w, int var, double lower, double size)
{
    NC(nc_put_att_double(w->id, var, "lower_edge", NC_DOUBLE, 1, &lower));
    NC(nc_put_att_double(w->id, var, "cell_size", NC_DOUBLE, 1, &size));
    return ERR_OK;
}

static enum err put_grid(struct ncwriter *w)
{
    static const char *const sx = "projection_x_coordinate", *const sy = "projection_y_coordinate";
    const struct label lx = {"x", "x of cell centres", sx, "m", "X"};
    const struct label ly = {"y", "y of cell centres", sy, "m", "Y"};
    const struct label lxc = {"x_corner", "x of cell corners", sx, "m", "X"};
    const struct label lyc = {"y_corner", "y of cell corners", sy, "m", "Y"};
    const struct label lt = {"time", "simulated time", "time", "seconds since 1970-01-01 00:00:00",
                             "T"};
    const struct grid_info *g = &w->info.grid;
    int x = -1, y = -1, xc = -1, yc = -1;
    TRY(define_axis(w, &lx, g->nx, &w->dim_x, &x));
    TRY(define_axis(w, &ly, g->ny, &w->dim_y, &y));
    TRY(define_axis(w, &lxc, g->nx + 1, &w->dim_xc, &xc));
    TRY(define_axis(w, &lyc, g->ny + 1, &w->dim_yc, &yc));
    TRY(define_axis(w, &lt, 0, &w->dim_time, &w->time));
    TRY(put_text(w, w->time, "calendar", "standard"));
    TRY(put_origin(w, x, g->x0, g->dx));
    TRY(put_origin(w, y, g->y0, g->dy));
    TRY(put_axis(w, x, g->nx, grid_x));
    TRY(put_axis(w, y, g->ny, grid_y));
    TRY(put_axis(w, xc, g->nx + 1, grid_xc));
    return put_axis(w, yc, g->ny + 1, grid_yc);
}

/* Side of the chunks of n values: nearly equal parts of at most `most`. */
static size_t chunk(size_t n, size_t most)
{
    size_t parts = (n + most - 1) / most;
    return (n + parts - 1) / parts;
}

static void chunk_sides(size_t nx, size_t ny, size_t *cx, size_t *cy)
{
    *cx = chunk(nx, ny < CHUNK_SIDE ? CHUNK_VALUES / ny : CHUNK_SIDE);
    *cy = chunk(ny, CHUNK_VALUES / *cx);
}

static enum err define_plane(const struct ncwriter *w, const struct label *l, const int dims[3],
                             const size_t n[2], int timed, int *var)
{
    size_t chunks[3] = {1, 0, 0};
    chunk_sides(n[1], n[0], &chunks[2], &chunks[1]);
    nc_type type = w->info.precision == F64 ? NC_DOUBLE : NC_FLOAT;
    NC(nc_def_var(w->id, l->name, type, 2 + timed, dims + !timed, var));
    NC(nc_def_var_chunking(w->id, *var, NC_CHUNKED, chunks + !timed));
    NC(nc_def_var_deflate(w->id, *var, 1, 1, DEFLATE_LEVEL));
    return label(w, *var, l);
}

static enum err define_planes(struct ncwriter *w)
{
    const struct label bed = {"bed", "bed level at cell centres", NULL, "m", NULL};
    const struct label bed_corner = {"bed_corner", "bed level at cell corners", NULL, "m", NULL};
    const struct label fields[OUTPUT_VARIABLES] = {
        {"w", "level of the water surface", "water_surface_height_above_reference_datum", "m",
         NULL},
        {"h", "depth of the water", NULL, "m", NULL},
        {"hu", "discharge per unit width along x", NULL, "m2 s-1", NULL},
        {"hv", "discharge per unit width along y", NULL, "m2 s-1", NULL}};
    const size_t nx = (size_t)w->info.grid.nx, ny = (size_t)w->info.grid.ny;
    const size_t cells[2] = {ny, nx}, corners[2] = {ny + 1, nx + 1};
    const int dims[3] = {w->dim_time, w->dim_y, w->dim_x};
    const int corner_dims[3] = {w->dim_time, w->dim_yc, w->dim_xc};
    TRY(define_plane(w, &bed, dims, cells, 0, &w->bed));
    TRY(define_plane(w, &bed_corner, corner_dims, corners, 0, &w->bed_corner));
    for (int k = 0; k < OUTPUT_VARIABLES; k++)
        if (w->info.variables >> k & 1)
            TRY(define_plane(w, &fields[k], dims, cells, 1, &w->fields[k]));
    return ERR_OK;
}

/* The bed at a centre, with the operations and their order of the kernels (num/depth.h): a dry cell
 * has depth zero exactly. `b` is the lower left corner. */
static float mean_f32(const float *b, long pitch)
{
    return 0.25f * ((b[0] + b[pitch + 1]) + (b[1] + b[pitch]));
}

static double mean_f64(const double *b, long pitch)
{
    return 0.25 * ((b[0] + b[pitch + 1]) + (b[1] + b[pitch]));
}

/* n values of row j from column i on, into `to`. */
static void fill_row(const struct ncwriter *w, const struct plane *p, size_t i, size_t j, size_t n,
                     void *to)
{
    const size_t at = j * (size_t)p->pitch + i, bed = j * (size_t)w->info.bed_pitch + i;
    if (w->info.precision == F64) {
        const double *from = p->data, *corner = w->info.bed;
        if (p->content == COPY)
            memcpy(to, from + at, n * sizeof(double));
        for (size_t k = 0; p->content != COPY && k < n; k++) {
            double mean = mean_f64(corner + bed + k, w->info.bed_pitch);
            ((double *)to)[k] = p->content == DEPTH ? from[at + k] - mean : mean;
        }
    } else {
        const float *from = p->data, *corner = w->info.bed;
        if (p->content == COPY)
            memcpy(to, from + at, n * sizeof(float));
        for (size_t k = 0; p->content != COPY && k < n; k++) {
            float mean = mean_f32(corner + bed + k, w->info.bed_pitch);
            ((float *)to)[k] = p->content == DEPTH ? from[at + k] - mean : mean;
        }
    }
}

/* Chunk by chunk, so that netCDF compresses each one once. */
static enum err put_plane(const struct ncwriter *w, const struct plane *p)
{
    const size_t real = w->info.precision == F64 ? sizeof(double) : sizeof(float);
    size_t cx, cy;
    chunk_sides(p->nx, p->ny, &cx, &cy);
    for (size_t j = 0; j < p->ny; j += cy) {
        for (size_t i = 0; i < p->nx; i += cx) {
            size_t start[3] = {w->records, j, i}, count[3] = {1, cy, cx};
            count[1] = p->ny - j < cy ? p->ny - j : cy;
            count[2] = p->nx - i < cx ? p->nx - i : cx;
            for (size_t row = 0; row < count[1]; row++)
                fill_row(w, p, i, j + row, count[2], (char *)w->tile + row * count[2] * real);
            NC(nc_put_vara(w->id, p->var, start + !p->timed, count + !p->timed, w->tile));
        }
    }
    return ERR_OK;
}

static enum err put_bed(const struct ncwriter *w)
{
    const size_t nx = (size_t)w->info.grid.nx, ny = (size_t)w->info.grid.ny;
    const struct plane corner = {w->bed_corner, COPY, w->info.bed, w->info.bed_pitch, nx + 1,
                                 ny + 1,        0};
    const struct plane centre = {w->bed, BED_MEAN, w->info.bed, w->info.bed_pitch, nx, ny, 0};
    TRY(put_plane(w, &corner));
    return put_plane(w, &centre);
}

static enum err open_writer(struct ncwriter *w)
{
    TRY(ncaccess_start(w->info.path));
    TRY(outfile_create(&w->file, w->info.path));
    w->tile = malloc(CHUNK_VALUES * sizeof(double));
    if (!w->tile)
        FAIL(MEMORY, "no memory to write '%s'", w->file.path);
    int id;
    NC(nc_create(w->file.temporary, NC_NETCDF4 | NC_CLOBBER, &id));
    w->id = id;
    TRY(put_text(w, NC_GLOBAL, "Conventions", "CF-1.8"));
    TRY(put_grid(w));
    TRY(define_planes(w));
    return put_bed(w);
}

enum err ncwrite_create(struct ncwriter **writer, const struct ncwrite_info *info)
{
    enum err e = ERR_OK;
    struct ncwriter *w = calloc(1, sizeof *w);
    *writer = NULL;
    if (!w)
        FAIL(MEMORY, "no memory to write '%s'", info->path);
    w->info = *info;
    w->id = -1;
    TRY_OUT(open_writer(w));
    *writer = w;
    return ERR_OK;
out:
    ncwrite_discard(&w);
    return e;
}

enum err ncwrite_attributes(struct ncwriter *w, const struct attribute *list, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const struct attribute *a = &list[k];
        if (a->kind == ATTRIBUTE_TEXT)
            TRY(put_text(w, NC_GLOBAL, a->name, a->text));
        else if (a->kind == ATTRIBUTE_DOUBLE)
            NC(nc_put_att_double(w->id, NC_GLOBAL, a->name, NC_DOUBLE, 1, &a->number));
        else
            NC(nc_put_att_long(w->id, NC_GLOBAL, a->name,
                               a->integer < INT_MIN || a->integer > INT_MAX ? NC_INT64 : NC_INT, 1,
                               &a->integer));
    }
    return ERR_OK;
}

enum err ncwrite_record(struct ncwriter *w, const struct ncwrite_record *r)
{
    const size_t nx = (size_t)w->info.grid.nx, ny = (size_t)w->info.grid.ny;
    const void *const data[OUTPUT_VARIABLES] = {r->w, r->w, r->hu, r->hv};
    for (int k = 0; k < OUTPUT_VARIABLES; k++) {
        const struct plane p = {
            w->fields[k], k == OUTPUT_H ? DEPTH : COPY, data[k], r->pitch, nx, ny, 1};
        if (w->info.variables >> k & 1)
            TRY(put_plane(w, &p));
    }
    NC(nc_put_var1_double(w->id, w->time, &w->records, &r->t));
    w->records++;
    return ERR_OK;
}

static enum err close_file(struct ncwriter *w)
{
    int id = w->id;
    w->id = -1;
    NC(nc_close(id));
    return ERR_OK;
}

enum err ncwrite_finish(struct ncwriter **writer)
{
    enum err e = ERR_OK;
    TRY_OUT(close_file(*writer));
    TRY_OUT(outfile_publish(&(*writer)->file));
out:
    ncwrite_discard(writer);
    return e;
}

void ncwrite_discard(struct ncwriter **writer)
{
    struct ncwriter *w = *writer;
    *writer = NULL;
    if (!w)
        return;
    if (w->id >= 0)
        nc_close(w->id);
    outfile_discard(&w->file);
    free(w->tile);
    free(w);
}

#endif
