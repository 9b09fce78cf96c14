/* Reads planes of a netCDF file record by record, window by window. */
#include "core/netcdf/read_records.h"

#include <string.h>

const struct ncvariable *ncrecords_find(const struct ncrecords *r, const char *name)
{
    for (int k = 0; k < r->variables; k++)
        if (strcmp(r->variable[k].name, name) == 0)
            return &r->variable[k];
    return NULL;
}

void ncrecords_take(struct ncrecords *r, const char *path, const struct grid_info *grid,
                    const struct ncvariable *v, const float *values)
{
    *r = (struct ncrecords){.path = path,
                            .id = -1,
                            .grid = *grid,
                            .variables = 1,
                            .variable = {*v},
                            .memory = values,
                            .rows = 1};
}

#ifdef HAVE_NETCDF

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/netcdf/mapping.h"
#include "core/netcdf/variables.h"
#include "core/base/input_files.h"

/* Axes and dimensions found so far in the file. */
struct looking {
    struct ncaccess file;
    struct ncaxis x, y;
    int time; /* dimension of the records; -1: none */
};

/* Where cells begin and how large they are. A single cell does not show its size, but the
 * program that wrote it may have stored it. */
static enum err find_cells(const struct ncaccess *f, const struct ncaxis *a, double *start,
                           double *size)
{
    if (a->n > 1)
        *size = (a->value[a->n - 1] - a->value[0]) / (double)(a->n - 1);
    else if (!ncaccess_number(f, a->var, "cell_size", size))
        *size = 1;
    if (!(*size > 0))
        FAIL(INPUT, "%s: variable '%s' does not change", f->path, a->name);
    for (size_t i = 1; i < a->n; i++)
        if (!(fabs(a->value[i] - a->value[0] - (double)i * *size) < 0.1 * *size))
            FAIL(INPUT, "%s: variable '%s' is not evenly spaced", f->path, a->name);
    *start = a->value[0] - 0.5 * *size;
    double lower;
    if (ncaccess_number(f, a->var, "lower_edge", &lower) && fabs(lower - *start) < 1e-3 * *size)
        *start = lower; /* without rounding */
    return ERR_OK;
}

static enum err look_at_grid(struct ncrecords *r, struct looking *l)
{
    TRY(ncaccess_axis(&l->file, "x", 1, &l->x));
    TRY(ncaccess_axis(&l->file, "y", 1, &l->y));
    if (l->x.dim == l->y.dim)
        FAIL(INPUT, "%s: variables 'x' and 'y' have the same dimension", r->path);
    TRY(find_cells(&l->file, &l->x, &r->grid.x0, &r->grid.dx));
    TRY(find_cells(&l->file, &l->y, &r->grid.y0, &r->grid.dy));
    r->grid.nx = (int)l->x.n;
    r->grid.ny = (int)l->y.n;
    r->flipped_x = l->x.flipped;
    r->flipped_y = l->y.flipped;
    return ERR_OK;
}

/* Without a time dimension planes have none either. */
static enum err look_at_time(struct ncrecords *r, struct looking *l)
{
    const struct ncaccess *f = &l->file;
    const char *name = "time";
    int var, dims;
    l->time = -1;
    if (nc_inq_varid(r->id, "time", &var) != NC_NOERR)
        return ERR_OK;
    NC_READ(nc_inq_varndims(r->id, var, &dims));
    if (dims != 1)
        return ERR_OK;
    TRY(ncaccess_seconds(f, var));
    NC_READ(nc_inq_vardimid(r->id, var, &l->time));
    NC_READ(nc_inq_dimlen(r->id, l->time, &r->records));
    r->time = calloc(r->records + 1, sizeof *r->time);
    if (!r->time)
        FAIL(MEMORY, "%s: no memory for %zu times", r->path, r->records);
    NC_READ(nc_get_var_double(r->id, var, r->time));
    for (size_t k = 0; k < r->records; k++)
        if (!isfinite(r->time[k]) || (k > 0 && r->time[k] < r->time[k - 1]))
            FAIL(INPUT, "%s: variable 'time': value %zu is missing, or earlier than the one before",
                 r->path, k);
    return ERR_OK;
}

/* Lists a variable over (y,x), of one record or of all. */
static enum err look_at_variable(struct ncrecords *r, const struct looking *l, int id)
{
    const struct ncaccess *f = &l->file;
    int dims, dim[NC_MAX_VAR_DIMS], storage;
    size_t chunk[NC_MAX_VAR_DIMS];
    char name[NC_MAX_NAME + 1] = "?";
    nc_type type;
    NC_READ(nc_inq_var(r->id, id, name, &type, &dims, dim, NULL));
    const int timed = dims == 3 && dim[0] == l->time;
    if ((dims != 2 && !timed) || dim[dims - 1] != l->x.dim || dim[dims - 2] != l->y.dim)
        return ERR_OK;
    if (type == NC_CHAR || type == NC_STRING || type > NC_MAX_ATOMIC_TYPE ||
        strlen(name) >= NCRECORDS_NAME || r->variables == NCRECORDS_VARIABLES)
        return ERR_OK;
    struct ncvariable *v = &r->variable[r->variables++];
    *v = (struct ncvariable){.timed = timed, .id = id};
    snprintf(v->name, sizeof v->name, "%s", name);
    ncaccess_text(f, id, "long_name", v->title, sizeof v->title);
    ncaccess_text(f, id, "units", v->units, sizeof v->units);
    if (nc_inq_var_chunking(r->id, id, &storage, chunk) == NC_NOERR && storage == NC_CHUNKED &&
        (int)chunk[dims - 2] > r->rows)
        r->rows = (int)chunk[dims - 2];
    return ERR_OK;
}

static enum err inspect(struct ncrecords *r, struct looking *l)
{
    const struct ncaccess *f = &l->file;
    const char *name = "?";
    int count;
    TRY(look_at_grid(r, l));
    TRY(look_at_time(r, l));
    NC_READ(nc_inq_nvars(r->id, &count));
    for (int id = 0; id < count; id++)
        TRY(look_at_variable(r, l, id));
    if (!r->variables)
        FAIL(INPUT, "%s: no variable is over (y,x): this is no result of `shoal run`", r->path);
    return ERR_OK;
}

enum err ncrecords_open(struct ncrecords *r, const char *path)
{
    struct looking l = {.time = -1};
    *r = (struct ncrecords){.path = path, .id = -1, .rows = 1};
    TRY(ncaccess_open(&l.file, path));
    input_files_note(path);
    r->id = l.file.id;
    const enum err e = inspect(r, &l);
    free(l.x.value);
    free(l.y.value);
    return e;
}

void ncrecords_close(struct ncrecords *r)
{
    struct ncaccess f = {r->path, r->id};
    if (r->path && r->id >= 0)
        ncaccess_close(&f);
    free(r->time);
    *r = (struct ncrecords){.id = -1};
}

/* Puts rows and values into ascending order, in place. */
static void turn(const struct ncrecords *r, struct ncwindow w, float *p)
{
    const size_t nx = (size_t)w.nx, ny = (size_t)w.ny;
    for (size_t j = 0; r->flipped_y && j < ny / 2; j++) {
        for (size_t i = 0; i < nx; i++) {
            const float low = p[j * nx + i];
            p[j * nx + i] = p[(ny - 1 - j) * nx + i];
            p[(ny - 1 - j) * nx + i] = low;
        }
    }
    for (size_t j = 0; r->flipped_x && j < ny; j++) {
        for (size_t i = 0; i < nx / 2; i++) {
            const float low = p[j * nx + i];
            p[j * nx + i] = p[j * nx + nx - 1 - i];
            p[j * nx + nx - 1 - i] = low;
        }
    }
}

static enum err copy(const struct ncrecords *r, struct ncwindow w, float *to)
{
    for (int j = 0; j < w.ny; j++)
        memcpy(to + (size_t)j * (size_t)w.nx,
               r->memory + (size_t)(w.j + j) * (size_t)r->grid.nx + (size_t)w.i,
               (size_t)w.nx * sizeof *to);
    return ERR_OK;
}

enum err ncrecords_read(const struct ncrecords *r, const struct ncvariable *v, size_t record,
                        struct ncwindow w, float *to)
{
    if (r->memory)
        return copy(r, w, to);
    const struct ncaccess file = {r->path, r->id}, *f = &file;
    const char *name = v->name;
    const int i = r->flipped_x ? r->grid.nx - w.i - w.nx : w.i;
    const int j = r->flipped_y ? r->grid.ny - w.j - w.ny : w.j;
    const size_t start[3] = {record, (size_t)j, (size_t)i};
    const size_t count[3] = {1, (size_t)w.ny, (size_t)w.nx};
    struct packing packing;
    TRY(ncaccess_packing(f, name, v->id, &packing));
    for (int k = 0; k < packing.missings; k++) /* values are read as floats */
        packing.missing[k] = (double)(float)packing.missing[k];
    const int status = nc_get_vara_float(r->id, v->id, start + !v->timed, count + !v->timed, to);
    if (status != NC_ERANGE) /* a double beyond float becomes infinite: missing, see below */
        NC_READ(status);
    for (size_t k = 0; k < count[1] * count[2]; k++) {
        double x = (double)to[k];
        to[k] = ncaccess_unpack(&packing, &x) && isfinite(x) ? (float)x : (float)NAN;
    }
    turn(r, w, to);
    return ERR_OK;
}

enum err ncrecords_system(const struct ncrecords *r, char **wkt)
{
    const struct ncaccess f = {r->path, r->id};
    *wkt = NULL;
    for (int k = 0; k < r->variables && !*wkt; k++)
        TRY(ncmapping_read(&f, r->variable[k].id, wkt));
    return ERR_OK;
}

void ncrecords_text(const struct ncrecords *r, const char *name, char *text, size_t n)
{
    const struct ncaccess f = {r->path, r->id};
    *text = '\0';
    if (!r->memory)
        ncaccess_text(&f, NC_GLOBAL, name, text, n);
}

#endif
