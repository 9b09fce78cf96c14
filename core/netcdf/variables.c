/* Finding and reading the variables of a netCDF file. */
#include "core/base/err.h"

#ifdef HAVE_NETCDF

#include "core/mesh/grid.h"
#include "core/netcdf/variables.h"
#include "core/netcdf/netcdf_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum err ncaccess_failed(const struct ncaccess *f, const char *name, int status)
{
    if (status == NC_ENOMEM)
        FAIL(MEMORY, "%s: variable '%s': netCDF is out of memory", f->path, name);
    FAIL(INPUT, "%s: variable '%s' cannot be read: %s (is the file damaged?)", f->path, name,
         nc_strerror(status));
}

/* If a file could not be closed because the disk is full, HDF5's own clean-up at exit crashes
 * (seen with 1.10.8). All files that matter are closed here, so the clean-up has nothing to do
 * and is switched off, which must happen before the first use of HDF5. HDF5 is present only if
 * netCDF is linked with it, hence the search by name; without it nothing is lost. */
static void keep_hdf5_from_exit(void)
{
    union {
        void *object;
        int (*function)(void);
    } h5 = {dlsym(RTLD_DEFAULT, "H5dont_atexit")};
    if (h5.object)
        h5.function();
}

/* HDF5 would print a page on each of its errors; netCDF silences it in one thread only. */
void ncfile_quiet_thread(void)
{
    if (ncfile_ready())
        return;
    union {
        void *object;
        int (*function)(int64_t stack, void *function, void *data);
    } h5 = {dlsym(RTLD_DEFAULT, "H5Eset_auto2")};
    if (h5.object)
        h5.function(0, NULL, NULL);
}

enum err ncfile_ready(void)
{
    TRY(netcdf_open());
    keep_hdf5_from_exit();
    return ERR_OK;
}

enum err ncaccess_start(const char *path)
{
    if (strchr(path, '\\'))
        FAIL(USAGE, "'%s': netCDF takes a backslash in a name for a folder: rename it", path);
    return ncfile_ready();
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
    TRY(ncheader_check(path, (size_t)s.st_size));
    TRY(ncprobe_check(path));
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
    return ERR_OK;
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

enum err ncaccess_find(const struct ncaccess *f, const char *name, int *var)
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

void ncaccess_text(const struct ncaccess *f, int var, const char *name, char *text, size_t room)
{
    nc_type type;
    size_t n;
    text[0] = 0;
    if (nc_inq_att(f->id, var, name, &type, &n) != NC_NOERR || n == 0)
        return;
    if (type == NC_STRING && n == 1) {
        char *s = NULL;
        if (nc_get_att_string(f->id, var, name, &s) == NC_NOERR && s)
            snprintf(text, room, "%s", s);
        nc_free_string(1, &s);
    } else if (type == NC_CHAR) {
        char *s = calloc(n + 1, 1);
        if (s && nc_get_att_text(f->id, var, name, s) == NC_NOERR)
            snprintf(text, room, "%s", s);
        free(s);
    }
}

enum err ncaccess_metres(const struct ncaccess *f, const char *name)
{
    static const char *const metres[] = {"", "m", "meter", "metre", "meters", "metres"};
    int var;
    char units[NCACCESS_TEXT];
    TRY(ncaccess_find(f, name, &var));
    ncaccess_text(f, var, "units", units, sizeof units);
    for (size_t k = 0; k < sizeof metres / sizeof *metres; k++)
        if (strcmp(units, metres[k]) == 0)
            return ERR_OK;
    FAIL(INPUT, "%s: variable '%s' has units '%s': convert it to metres ('m')", f->path, name,
         units);
}

/* Stored numbers outside this range are missing (CF 2.5.1). */
static void find_range(const struct ncaccess *f, int var, struct packing *p)
{
    double range[2];
    nc_type type;
    size_t n;
    if (nc_inq_att(f->id, var, "valid_range", &type, &n) == NC_NOERR && n == 2 &&
        nc_get_att_double(f->id, var, "valid_range", range) == NC_NOERR) {
        p->low = range[0];
        p->high = range[1];
    }
    ncaccess_number(f, var, "valid_min", &p->low);
    ncaccess_number(f, var, "valid_max", &p->high);
}

/* An attribute needed to unpack numbers: without it they would be taken for other values. */
static enum err read_packing(const struct ncaccess *f, const char *name, int var,
                             const char *attribute, double *value)
{
    if (nc_inq_attid(f->id, var, attribute, NULL) != NC_NOERR)
        return ERR_OK;
    if (!ncaccess_number(f, var, attribute, value) || !isfinite(*value))
        FAIL(INPUT,
             "%s: variable '%s': its attribute %s is not one number: correct it, as by `ncatted -a "
             "%s,%s,o,d,NUMBER`",
             f->path, name, attribute, attribute, name);
    return ERR_OK;
}

enum err ncaccess_packing(const struct ncaccess *f, const char *name, int var, struct packing *p)
{
    nc_type type;
    *p = (struct packing){.scale = 1, .low = -(double)INFINITY, .high = (double)INFINITY};
    NC_READ(nc_inq_vartype(f->id, var, &type));
    if (type == NC_CHAR || type == NC_STRING || type > NC_MAX_ATOMIC_TYPE)
        FAIL(INPUT, "%s: variable '%s' does not hold numbers", f->path, name);
    p->single = type != NC_DOUBLE;
    if (ncaccess_number(f, var, "_FillValue", &p->missing[p->missings]))
        p->missings++;
    if (ncaccess_number(f, var, "missing_value", &p->missing[p->missings]))
        p->missings++;
    if (type == NC_FLOAT || type == NC_DOUBLE)
        p->missing[p->missings++] = NC_FILL_DOUBLE; /* values that were never written */
    find_range(f, var, p);
    TRY(read_packing(f, name, var, "scale_factor", &p->scale));
    if (p->scale == 0)
        FAIL(INPUT,
             "%s: variable '%s': its attribute scale_factor is 0, which makes all its values the "
             "same: correct it",
             f->path, name);
    return read_packing(f, name, var, "add_offset", &p->offset);
}

int ncaccess_unpack(const struct packing *p, double *x)
{
    for (int k = 0; k < p->missings; k++)
        if (*x == p->missing[k])
            return 0;
    if (!(*x >= p->low && *x <= p->high))
        return 0;
    if (p->scale != 1 || p->offset != 0)
        *x = *x * p->scale + p->offset;
    return 1;
}

static void reverse(double *value, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        double x = value[i];
        value[i] = value[n - 1 - i];
        value[n - 1 - i] = x;
    }
}

enum err ncaccess_points(const struct ncaccess *f, struct ncaxis *a)
{
    const char *name = a->name;
    int dims;
    struct packing packing;
    NC_READ(nc_inq_varndims(f->id, a->var, &dims));
    if (dims != 1)
        FAIL(INPUT, "%s: variable '%s' has %d dimensions: a coordinate has one", f->path, name,
             dims);
    NC_READ(nc_inq_vardimid(f->id, a->var, &a->dim));
    NC_READ(nc_inq_dimlen(f->id, a->dim, &a->n));
    if (a->n < 1 || a->n > GRID_MOST + 1)
        FAIL(INPUT, "%s: variable '%s' has %zu values: a run has from 1 to %d cells along an axis",
             f->path, name, a->n, GRID_MOST);
    TRY(ncaccess_packing(f, name, a->var, &packing));
    a->single = packing.single;
    a->value = malloc(a->n * sizeof *a->value);
    if (!a->value)
        FAIL(MEMORY, "%s: no memory for %zu values of '%s'", f->path, a->n, name);
    NC_READ(nc_get_var_double(f->id, a->var, a->value));
    for (size_t i = 0; i < a->n; i++)
        if (!ncaccess_unpack(&packing, &a->value[i]) || !isfinite(a->value[i]))
            FAIL(INPUT, "%s: variable '%s': value %zu is missing or not finite", f->path, name, i);
    a->flipped = a->value[a->n - 1] < a->value[0];
    if (a->flipped)
        reverse(a->value, a->n);
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
            NC_READ(nc_inq_dimlen(f->id, a->dim, &a->n));
        return ERR_OK;
    }
    TRY(ncaccess_metres(f, name));
    return ncaccess_points(f, a);
}

enum err ncaccess_scalar(const struct ncaccess *f, const char *name, double *value)
{
    int var;
    struct packing packing;
    TRY(ncaccess_find(f, name, &var));
    TRY(ncaccess_packing(f, name, var, &packing));
    NC_READ(nc_get_var_double(f->id, var, value));
    if (!ncaccess_unpack(&packing, value) || !isfinite(*value))
        FAIL(INPUT, "%s: variable '%s' is missing or not finite", f->path, name);
    return ERR_OK;
}

enum err ncaccess_seconds(const struct ncaccess *f, int var)
{
    static const char *const seconds[] = {"", "s", "sec", "second", "seconds"};
    char units[NCACCESS_TEXT];
    ncaccess_text(f, var, "units", units, sizeof units);
    units[strcspn(units, " ")] = 0;
    for (size_t k = 0; k < sizeof seconds / sizeof *seconds; k++)
        if (strcmp(units, seconds[k]) == 0)
            return ERR_OK;
    FAIL(INPUT, "%s: variable 'time' is in '%s': convert it to seconds", f->path, units);
}

enum err ncaccess_time(const struct ncaccess *f, double *t)
{
    const char *name = "time";
    int var = -1, dims = 0, dim = -1;
    size_t n = 1;
    *t = 0;
    if (!ncaccess_has(f, name))
        return ERR_OK;
    TRY(ncaccess_find(f, name, &var));
    NC_READ(nc_inq_varndims(f->id, var, &dims));
    if (dims > 1)
        FAIL(INPUT, "%s: variable 'time' has %d dimensions: it may have one", f->path, dims);
    if (dims == 1) {
        NC_READ(nc_inq_vardimid(f->id, var, &dim));
        NC_READ(nc_inq_dimlen(f->id, dim, &n));
        if (n != 1)
            return ncaccess_records(f, name, dim, n);
    }
    TRY(ncaccess_seconds(f, var));
    return ncaccess_scalar(f, name, t);
}

#endif
