/* Finding and reading the variables of a netCDF file. */
#include "core/err.h"

#ifdef HAVE_NETCDF

#include "core/ncaccess.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { TEXT_LENGTH = 128 };

static enum err failed(const struct ncaccess *f, const char *name, int status)
{
    if (status == NC_ENOMEM)
        FAIL(MEMORY, "%s: variable '%s': netCDF is out of memory", f->path, name);
    FAIL(INPUT, "%s: variable '%s' cannot be read: %s (is the file damaged?)", f->path, name,
         nc_strerror(status));
}

/* Runs a netCDF call about variable `name` of file `f`; returns from the caller if it fails. */
#define NC(call)                               \
    do {                                       \
        int nc_status = (call);                \
        if (nc_status != NC_NOERR)             \
            return failed(f, name, nc_status); \
    } while (0)

/* After a file could not be closed because the disk is full, HDF5's own clean-up at exit crashes
 * (seen with 1.10.8). Nothing is left for it to do, as every file is closed here: it is told not to
 * come, which must happen before netCDF first uses it. HDF5 is only known to be what netCDF is
 * linked with, hence the search by name; without it nothing is lost. */
static void keep_hdf5_from_exit(void)
{
    union {
        void *object;
        int (*function)(void);
    } h5 = {dlsym(RTLD_DEFAULT, "H5dont_atexit")};
    if (h5.object)
        h5.function();
}

enum err ncaccess_start(const char *path)
{
    if (strchr(path, '\\'))
        FAIL(USAGE, "'%s': netCDF takes a backslash in a name for a folder: rename it", path);
    keep_hdf5_from_exit();
    return ERR_OK;
}

/* A file that ends early. */
static enum err check_length(const struct ncaccess *f, off_t size)
{
    size_t least;
    TRY(ncclassic_size(f->id, &least));
    if ((size_t)size < least)
        FAIL(INPUT, "%s: is truncated: it has %zu bytes, its header promises at least %zu", f->path,
             (size_t)size, least);
    return ERR_OK;
}

enum err ncaccess_open(struct ncaccess *f, const char *path)
{
    struct stat s;
    f->path = path;
    if (stat(path, &s) != 0)
        FAIL(INPUT, "%s: cannot be read: %s", path, strerror(errno));
    if (!S_ISREG(s.st_mode))
        FAIL(INPUT, "%s: is not a file", path);
    if (s.st_size == 0)
        FAIL(INPUT, "%s: is empty", path);
    TRY(ncaccess_start(path));
    int status = nc_open(path, NC_NOWRITE, &f->id);
    if (status == NC_ENOTNC)
        FAIL(INPUT, "%s: is not a netCDF file", path);
    if (status == NC_ENOMEM)
        FAIL(MEMORY, "%s: netCDF is out of memory", path);
    if (status > 0)
        FAIL(INPUT, "%s: cannot be read: %s", path, strerror(status));
    if (status)
        FAIL(INPUT, "%s: cannot be opened: the file is truncated or damaged (%s)", path,
             nc_strerror(status));
    enum err e = check_length(f, s.st_size);
    if (e)
        nc_close(f->id);
    return e;
}

void ncaccess_close(struct ncaccess *f)
{
    nc_close(f->id);
}

int ncaccess_has(const struct ncaccess *f, const char *name)
{
    int var;
    return nc_inq_varid(f->id, name, &var) == NC_NOERR;
}

static enum err find(const struct ncaccess *f, const char *name, int *var)
{
    if (nc_inq_varid(f->id, name, var) != NC_NOERR)
        FAIL(INPUT, "%s: there is no variable '%s'", f->path, name);
    return ERR_OK;
}

int ncaccess_is_scalar(const struct ncaccess *f, const char *name)
{
    int var, dims;
    return nc_inq_varid(f->id, name, &var) == NC_NOERR &&
           nc_inq_varndims(f->id, var, &dims) == NC_NOERR && dims == 0;
}

int ncaccess_number(const struct ncaccess *f, int var, const char *name, double *value)
{
    nc_type type;
    size_t n;
    return nc_inq_att(f->id, var, name, &type, &n) == NC_NOERR && n == 1 && type != NC_CHAR &&
           type != NC_STRING && nc_get_att_double(f->id, var, name, value) == NC_NOERR;
}

/* A text attribute, of either kind; "" if there is none, cut if it is long. */
static void text_attribute(const struct ncaccess *f, int var, const char *name,
                           char text[TEXT_LENGTH])
{
    nc_type type;
    size_t n;
    text[0] = 0;
    if (nc_inq_att(f->id, var, name, &type, &n) != NC_NOERR || n == 0)
        return;
    if (type == NC_STRING && n == 1) {
        char *s = NULL;
        if (nc_get_att_string(f->id, var, name, &s) == NC_NOERR && s)
            snprintf(text, TEXT_LENGTH, "%s", s);
        nc_free_string(1, &s);
    } else if (type == NC_CHAR) {
        char *s = calloc(n + 1, 1);
        if (s && nc_get_att_text(f->id, var, name, s) == NC_NOERR)
            snprintf(text, TEXT_LENGTH, "%s", s);
        free(s);
    }
}

enum err ncaccess_metres(const struct ncaccess *f, const char *name)
{
    static const char *const metres[] = {"", "m", "meter", "metre", "meters", "metres"};
    int var;
    char units[TEXT_LENGTH];
    TRY(find(f, name, &var));
    text_attribute(f, var, "units", units);
    for (size_t k = 0; k < sizeof metres / sizeof *metres; k++)
        if (strcmp(units, metres[k]) == 0)
            return ERR_OK;
    FAIL(INPUT, "%s: variable '%s' has units '%s': convert it to metres ('m')", f->path, name,
         units);
}

/* How stored numbers become values. */
struct packing {
    double scale, offset;
    double missing[3];
    int missings;
    int single; /* no more precise than float */
};

static enum err find_packing(const struct ncaccess *f, const char *name, int var, struct packing *p)
{
    nc_type type;
    *p = (struct packing){.scale = 1};
    NC(nc_inq_vartype(f->id, var, &type));
    if (type == NC_CHAR || type == NC_STRING || type > NC_MAX_ATOMIC_TYPE)
        FAIL(INPUT, "%s: variable '%s' does not hold numbers", f->path, name);
    p->single = type != NC_DOUBLE;
    if (ncaccess_number(f, var, "_FillValue", &p->missing[p->missings]))
        p->missings++;
    if (ncaccess_number(f, var, "missing_value", &p->missing[p->missings]))
        p->missings++;
    if (type == NC_FLOAT || type == NC_DOUBLE)
        p->missing[p->missings++] = NC_FILL_DOUBLE; /* what was never written */
    ncaccess_number(f, var, "scale_factor", &p->scale);
    ncaccess_number(f, var, "add_offset", &p->offset);
    return ERR_OK;
}

/* True if the stored number is a value; replaces it by the value. */
static int unpack(const struct packing *p, double *x)
{
    for (int k = 0; k < p->missings; k++)
        if (*x == p->missing[k])
            return 0;
    if (p->scale != 1 || p->offset != 0)
        *x = *x * p->scale + p->offset;
    return isfinite(*x);
}

static enum err read_axis(const struct ncaccess *f, const char *name, struct ncaxis *a)
{
    int dims;
    struct packing packing;
    NC(nc_inq_varndims(f->id, a->var, &dims));
    if (dims != 1)
        FAIL(INPUT, "%s: variable '%s' has %d dimensions: a coordinate has one", f->path, name,
             dims);
    NC(nc_inq_vardimid(f->id, a->var, &a->dim));
    NC(nc_inq_dimlen(f->id, a->dim, &a->n));
    if (a->n < 1 || a->n >= INT_MAX / 2)
        FAIL(INPUT, "%s: variable '%s' has %zu values", f->path, name, a->n);
    TRY(ncaccess_metres(f, name));
    TRY(find_packing(f, name, a->var, &packing));
    a->single = packing.single;
    a->value = malloc(a->n * sizeof *a->value);
    if (!a->value)
        FAIL(MEMORY, "%s: no memory for %zu values of '%s'", f->path, a->n, name);
    NC(nc_get_var_double(f->id, a->var, a->value));
    for (size_t i = 0; i < a->n; i++)
        if (!unpack(&packing, &a->value[i]))
            FAIL(INPUT, "%s: variable '%s': value %zu is missing or not finite", f->path, name, i);
    return ERR_OK;
}

enum err ncaccess_axis(const struct ncaccess *f, const char *name, int required, struct ncaxis *a)
{
    *a = (struct ncaxis){.name = name, .dim = -1, .var = -1};
    if (nc_inq_varid(f->id, name, &a->var) != NC_NOERR) {
        a->var = -1;
        if (required)
            FAIL(INPUT, "%s: there is no variable '%s' (coordinates of the cell centres, in m)",
                 f->path, name);
        if (nc_inq_dimid(f->id, name, &a->dim) != NC_NOERR)
            a->dim = -1;
        else
            NC(nc_inq_dimlen(f->id, a->dim, &a->n));
        return ERR_OK;
    }
    TRY(read_axis(f, name, a));
    a->flipped = a->value[a->n - 1] < a->value[0];
    for (size_t i = 0; a->flipped && i < a->n / 2; i++) {
        double x = a->value[i];
        a->value[i] = a->value[a->n - 1 - i];
        a->value[a->n - 1 - i] = x;
    }
    return ERR_OK;
}

static enum err wrong_dimensions(const struct ncaccess *f, const char *name, const struct ncaxis *x,
                                 const struct ncaxis *y)
{
    FAIL(INPUT, "%s: variable '%s' must have the dimensions (%s,%s)", f->path, name, y->name,
         x->name);
}

/* A further dimension that is not of length one. */
static enum err many_records(const struct ncaccess *f, const char *name, int dim, size_t n)
{
    char dim_name[NC_MAX_NAME + 1] = "";
    NC(nc_inq_dimname(f->id, dim, dim_name));
    if (n == 0)
        FAIL(INPUT, "%s: variable '%s' has no record along '%s'", f->path, name, dim_name);
    FAIL(INPUT,
         "%s: variable '%s' has %zu records along '%s': input takes one; cut out the last with "
         "'ncks -d %s,-1 %s one.nc'",
         f->path, name, n, dim_name, dim_name, f->path);
}

/* Where x and y are among the variable's dimensions: `x_first` if x varies slower. */
static enum err find_order(const struct ncaccess *f, const char *name, int var,
                           const struct ncaxis *x, const struct ncaxis *y, int *x_first)
{
    int dims, dim[NC_MAX_VAR_DIMS], at_x = -1, at_y = -1;
    NC(nc_inq_varndims(f->id, var, &dims));
    NC(nc_inq_vardimid(f->id, var, dim));
    for (int k = 0; k < dims; k++) {
        at_x = dim[k] == x->dim ? k : at_x;
        at_y = dim[k] == y->dim ? k : at_y;
    }
    if (at_x < 0 || at_y < 0)
        return wrong_dimensions(f, name, x, y);
    for (int k = 0; k < dims; k++) {
        size_t n;
        NC(nc_inq_dimlen(f->id, dim[k], &n));
        if (k != at_x && k != at_y && n != 1)
            return many_records(f, name, dim[k], n);
    }
    *x_first = at_x < at_y;
    return ERR_OK;
}

/* Puts stored numbers into place; they are checked in the file's order and named by the file's
 * indices. */
static enum err arrange(const struct ncaccess *f, const char *name, const struct packing *packing,
                        const struct ncaxis *x, const struct ncaxis *y, int x_first,
                        const double *stored, double *p)
{
    const size_t inner = x_first ? y->n : x->n;
    for (size_t k = 0; k < x->n * y->n; k++) {
        size_t i = x_first ? k / inner : k % inner, j = x_first ? k % inner : k / inner;
        double value = stored[k];
        if (!unpack(packing, &value))
            FAIL(INPUT,
                 "%s: variable '%s': the value at (%zu, %zu), counted from 0 along x and "
                 "y, is %s",
                 f->path, name, i, j, isfinite(value) ? "missing" : "not a finite number");
        p[ncaxis_stored(y, j) * x->n + ncaxis_stored(x, i)] = value;
    }
    return ERR_OK;
}

enum err ncaccess_plane(const struct ncaccess *f, const char *name, const struct ncaxis *x,
                        const struct ncaxis *y, double **p, int *single)
{
    enum err e = ERR_OK;
    int var, x_first;
    struct packing packing;
    TRY(find(f, name, &var));
    if (x->dim < 0 || y->dim < 0)
        return wrong_dimensions(f, name, x, y);
    TRY(find_order(f, name, var, x, y, &x_first));
    TRY(find_packing(f, name, var, &packing));
    *single = packing.single;
    double *stored = malloc(x->n * y->n * sizeof *stored);
    *p = malloc(x->n * y->n * sizeof **p);
    if (!stored || !*p) {
        e = err_set(ERR_MEMORY, __FILE__, __LINE__,
                    "%s: no memory to read '%s': %zu x %zu values need 2 x %.1f GB", f->path, name,
                    x->n, y->n, (double)x->n * (double)y->n * sizeof *stored / 1e9);
        goto out;
    }
    int status = nc_get_var_double(f->id, var, stored);
    TRY_OUT(status ? failed(f, name, status) : ERR_OK);
    e = arrange(f, name, &packing, x, y, x_first, stored, *p);
out:
    free(stored);
    return e;
}

enum err ncaccess_scalar(const struct ncaccess *f, const char *name, double *value)
{
    int var;
    struct packing packing;
    TRY(find(f, name, &var));
    TRY(find_packing(f, name, var, &packing));
    NC(nc_get_var_double(f->id, var, value));
    if (!unpack(&packing, value))
        FAIL(INPUT, "%s: variable '%s' is missing or not finite", f->path, name);
    return ERR_OK;
}

enum err ncaccess_time(const struct ncaccess *f, double *t)
{
    static const char *const seconds[] = {"", "s", "sec", "second", "seconds"};
    const char *name = "time";
    int var = -1, dims = 0, dim = -1;
    size_t n = 1;
    char units[TEXT_LENGTH];
    *t = 0;
    if (!ncaccess_has(f, name))
        return ERR_OK;
    TRY(find(f, name, &var));
    NC(nc_inq_varndims(f->id, var, &dims));
    if (dims > 1)
        FAIL(INPUT, "%s: variable 'time' has %d dimensions: it may have one", f->path, dims);
    if (dims == 1) {
        NC(nc_inq_vardimid(f->id, var, &dim));
        NC(nc_inq_dimlen(f->id, dim, &n));
        if (n != 1)
            return many_records(f, name, dim, n);
    }
    text_attribute(f, var, "units", units);
    units[strcspn(units, " ")] = 0;
    for (size_t k = 0; k < sizeof seconds / sizeof *seconds; k++)
        if (strcmp(units, seconds[k]) == 0)
            return ncaccess_scalar(f, name, t);
    FAIL(INPUT, "%s: variable 'time' is in '%s': convert it to seconds", f->path, units);
}

#endif
