/* Reading the fields of a netCDF file: any order and direction of axes, in slabs. */
#include "core/base/err.h"

#ifdef HAVE_NETCDF

#include <math.h>
#include <stdlib.h>

#include "core/base/log.h"
#include "core/base/plane.h"
#include "core/netcdf/variables.h"

/* Numbers to read at a time: usually, and at most if chunks of the file are higher; how often a
 * chunk may be unpacked without a warning. */
enum { SLAB_USUAL = 1 << 21, SLAB_MOST = 1 << 24, OFTEN = 4 };

/* A variable over two axes, in the order of the file. */
struct layout {
    const struct ncaxis *x, *y;
    int var, dims, at_x, at_y; /* places among its dimensions */
    int at_record;             /* of the record dimension; -1: none */
    size_t record;
    struct packing packing;
};

static enum err wrong_dimensions(const struct ncaccess *f, const char *name, const struct ncaxis *x,
                                 const struct ncaxis *y)
{
    FAIL(INPUT, "%s: variable '%s': expected the dimensions (%s,%s)", f->path, name, y->name,
         x->name);
}

enum err ncaccess_records(const struct ncaccess *f, const char *name, int dim, size_t n)
{
    char dim_name[NC_MAX_NAME + 1] = "";
    NC_READ(nc_inq_dimname(f->id, dim, dim_name));
    if (n == 0)
        FAIL(INPUT, "%s: variable '%s' has no record along '%s'", f->path, name, dim_name);
    if (ncaccess_has(f, "tile_state"))
        FAIL(INPUT,
             "%s: variable '%s' has %zu records along '%s', without what the sparse run that wrote "
             "them did not store: input takes one, of all cells; write it with --fill-absent, and "
             "without --every",
             f->path, name, n, dim_name);
    FAIL(INPUT,
         "%s: variable '%s' has %zu records along '%s': input takes one; cut out the last with "
         "'ncks -d %s,-1 %s one.nc'",
         f->path, name, n, dim_name, dim_name, f->path);
}

/* All dimensions except x, y and the record dimension (-1: none) must have length one. */
static enum err find_layout(const struct ncaccess *f, const char *name, const struct ncaxis *x,
                            const struct ncaxis *y, int records, struct layout *l)
{
    int dim[NC_MAX_VAR_DIMS];
    *l = (struct layout){.x = x, .y = y, .at_x = -1, .at_y = -1, .at_record = -1};
    TRY(ncaccess_find(f, name, &l->var));
    if (x->dim < 0 || y->dim < 0)
        return wrong_dimensions(f, name, x, y);
    NC_READ(nc_inq_varndims(f->id, l->var, &l->dims));
    NC_READ(nc_inq_vardimid(f->id, l->var, dim));
    for (int k = 0; k < l->dims; k++) {
        l->at_x = dim[k] == x->dim ? k : l->at_x;
        l->at_y = dim[k] == y->dim ? k : l->at_y;
        l->at_record = dim[k] == records ? k : l->at_record;
    }
    if (l->at_x < 0 || l->at_y < 0)
        return wrong_dimensions(f, name, x, y);
    for (int k = 0; k < l->dims; k++) {
        size_t n;
        NC_READ(nc_inq_dimlen(f->id, dim[k], &n));
        if (k != l->at_x && k != l->at_y && k != l->at_record && n != 1)
            return ncaccess_records(f, name, dim[k], n);
    }
    return ncaccess_packing(f, name, l->var, &l->packing);
}

/* Puts stored numbers in place; those in `from` begin with row `first` of the slower axis. */
static enum err arrange(const struct ncaccess *f, const char *name, const struct layout *l,
                        const double *from, size_t first, size_t rows, double *p)
{
    const int x_first = l->at_x < l->at_y;
    const size_t inner = x_first ? l->y->n : l->x->n;
    for (size_t k = 0; k < rows * inner; k++) {
        const size_t slow = first + k / inner, fast = k % inner;
        const size_t i = x_first ? slow : fast, j = x_first ? fast : slow;
        double value = from[k];
        if (!ncaccess_unpack(&l->packing, &value))
            value = (double)NAN;
        if (isinf(value))
            FAIL(INPUT,
                 "%s: variable '%s': the value at (%zu, %zu), counted from 0 along x and y, is "
                 "infinite",
                 f->path, name, i, j);
        p[ncaxis_stored(l->y, j) * l->x->n + ncaxis_stored(l->x, i)] = value;
    }
    planes_touched(rows * inner);
    return ERR_OK;
}

size_t ncaccess_slab(size_t high, size_t outer, size_t inner, size_t *unpacked)
{
    const size_t usual = inner < SLAB_USUAL ? SLAB_USUAL / inner : 1;
    const size_t most = inner < SLAB_MOST ? SLAB_MOST / inner : 1;
    const size_t rows = high > most ? most : high > usual ? high : usual - usual % high;
    /* NOLINTNEXTLINE(*-core.DivideZero): SLAB_MOST / inner is 1 at least */
    *unpacked = high > most ? (high + most - 1) / most : 1;
    return rows < outer ? rows : outer;
}

static enum err find_slab(const struct ncaccess *f, const char *name, const struct layout *l,
                          size_t outer, size_t inner, size_t *rows)
{
    size_t chunk[NC_MAX_VAR_DIMS], unpacked;
    int storage = NC_CONTIGUOUS;
    NC_READ(nc_inq_var_chunking(f->id, l->var, &storage, chunk));
    const size_t high = storage == NC_CHUNKED ? chunk[l->at_x < l->at_y ? l->at_x : l->at_y] : 1;
    *rows = ncaccess_slab(high, outer, inner, &unpacked);
    if (unpacked > OFTEN)
        log_warning("%s: variable '%s' is stored in chunks of %zu x %zu values (%s,%s): each is "
                    "unpacked %zu times, because it is read by rows: `nccopy -c %s/256,%s/256 %s "
                    "NEW.nc` makes chunks that are read once",
                    f->path, name, chunk[l->at_y], chunk[l->at_x], l->y->name, l->x->name, unpacked,
                    l->y->name, l->x->name, f->path);
    return ERR_OK;
}

static enum err read_slabs(const struct ncaccess *f, const char *name, const struct layout *l,
                           size_t most, double *slab, double *p)
{
    const int x_first = l->at_x < l->at_y, slow = x_first ? l->at_x : l->at_y;
    const size_t outer = x_first ? l->x->n : l->y->n, inner = x_first ? l->y->n : l->x->n;
    size_t start[NC_MAX_VAR_DIMS] = {0}, count[NC_MAX_VAR_DIMS];
    for (int k = 0; k < l->dims; k++)
        count[k] = 1;
    count[x_first ? l->at_y : l->at_x] = inner;
    if (l->at_record >= 0)
        start[l->at_record] = l->record;
    for (size_t first = 0; first < outer; first += most) {
        start[slow] = first;
        count[slow] = outer - first < most ? outer - first : most;
        NC_READ(nc_get_vara_double(f->id, l->var, start, count, slab));
        TRY(arrange(f, name, l, slab, first, count[slow], p));
    }
    return ERR_OK;
}

static enum err read_plane(const struct ncaccess *f, const char *name, const struct layout *l,
                           double *p)
{
    const int x_first = l->at_x < l->at_y;
    const size_t outer = x_first ? l->x->n : l->y->n, inner = x_first ? l->y->n : l->x->n;
    size_t rows = 1;
    TRY(find_slab(f, name, l, outer, inner, &rows));
    double *slab = malloc(rows * inner * sizeof *slab);
    if (!slab)
        FAIL(MEMORY, "%s: no memory to read '%s'", f->path, name);
    const enum err e = read_slabs(f, name, l, rows, slab, p);
    free(slab);
    return e;
}

enum err ncaccess_plane_with_holes(const struct ncaccess *f, const char *name,
                                   const struct ncaxis *x, const struct ncaxis *y, double **p,
                                   int *single)
{
    struct layout l;
    TRY(find_layout(f, name, x, y, -1, &l));
    *single = l.packing.single;
    TRY(plane_new(f->path, x->n, y->n, p));
    return read_plane(f, name, &l, *p);
}

enum err ncaccess_record_dim(const struct ncaccess *f, const char *name, const struct ncaxis *x,
                             const struct ncaxis *y, int *dim)
{
    int var, dims, all[NC_MAX_VAR_DIMS];
    *dim = -1;
    TRY(ncaccess_find(f, name, &var));
    NC_READ(nc_inq_varndims(f->id, var, &dims));
    NC_READ(nc_inq_vardimid(f->id, var, all));
    for (int k = 0; k < dims && *dim < 0; k++) {
        size_t n;
        NC_READ(nc_inq_dimlen(f->id, all[k], &n));
        if (all[k] != x->dim && all[k] != y->dim && n != 1)
            *dim = all[k];
    }
    return ERR_OK;
}

enum err ncaccess_record(const struct ncaccess *f, const char *name, const struct ncaxis *x,
                         const struct ncaxis *y, int dim, size_t record, double *p)
{
    struct layout l;
    TRY(find_layout(f, name, x, y, dim, &l));
    l.record = record;
    return read_plane(f, name, &l, p);
}

/* Why a value is missing, and what to do. */
static const char *why_missing(const struct ncaccess *f)
{
    double width;
    return ncaccess_number(f, NC_GLOBAL, "checkpoint_tile_width", &width)
               ? ": this checkpoint of a sparse run holds only what differs from the "
                 "start; give it to --restart"
           : ncaccess_has(f, "tile_state")
               ? ": the sparse run that wrote it left out what it did not store; write it with "
                 "--fill-absent"
               : "";
}

enum err ncaccess_plane(const struct ncaccess *f, const char *name, const struct ncaxis *x,
                        const struct ncaxis *y, double **p, int *single)
{
    TRY(ncaccess_plane_with_holes(f, name, x, y, p, single));
    for (size_t k = 0; k < x->n * y->n; k++) {
        plane_passes(k);
        if (isnan((*p)[k]))
            FAIL(INPUT,
                 "%s: variable '%s': the value at (%zu, %zu), counted from 0 along x and y, is "
                 "missing or not a number%s",
                 f->path, name, ncaxis_stored(x, k % x->n), ncaxis_stored(y, k / x->n),
                 why_missing(f));
    }
    return ERR_OK;
}

#endif
