/* Finds tables by their dimensions: NAME_time is the time of a series, NAME the dimension of its
 * named items. */
#include "core/netcdf/read_table.h"

#include <stdlib.h>
#include <string.h>

void nctable_free(struct nctable *t)
{
    free(t->column);
    free(t->label);
    free(t->value);
    *t = (struct nctable){0};
}

#ifdef HAVE_NETCDF

#include <math.h>
#include <stdio.h>

#include "core/base/input_files.h"
#include "core/base/printable.h"
#include "core/netcdf/variables.h"

enum kind { NOT_HERE, SERIES_OF_ONE, SERIES_OF_MANY, LIST };

/* A table that was found. */
struct found {
    enum kind kind;
    int var;         /* of SERIES_OF_MANY */
    int dim, across; /* of rows; of columns, or -1 */
};

static void dimension_name(const struct ncaccess *f, int dim, char name[NC_MAX_NAME + 1])
{
    if (nc_inq_dimname(f->id, dim, name) != NC_NOERR)
        name[0] = '\0';
}

static int ends_in_time(const char *name)
{
    const size_t n = strlen(name);
    return n > 5 && strcmp(name + n - 5, "_time") == 0;
}

static int is_number(const struct ncaccess *f, int var)
{
    nc_type type;
    return nc_inq_vartype(f->id, var, &type) == NC_NOERR && type != NC_CHAR && type != NC_STRING &&
           type <= NC_MAX_ATOMIC_TYPE;
}

/* A variable over a time of its own and over named items. */
static int is_series_of_many(const struct ncaccess *f, int var, struct found *at)
{
    int dims, dim[NC_MAX_VAR_DIMS];
    char name[NC_MAX_NAME + 1];
    if (nc_inq_varndims(f->id, var, &dims) != NC_NOERR || dims != 2 || !is_number(f, var) ||
        nc_inq_vardimid(f->id, var, dim) != NC_NOERR)
        return 0;
    dimension_name(f, dim[0], name);
    *at = (struct found){SERIES_OF_MANY, var, dim[0], dim[1]};
    return ends_in_time(name);
}

static struct found find(const struct ncaccess *f, const char *name)
{
    struct found at = {NOT_HERE, -1, -1, -1};
    char other[NCTABLE_NAME];
    int var, dim, across;
    const size_t n = strlen(name);
    if (nc_inq_varid(f->id, name, &var) == NC_NOERR && is_series_of_many(f, var, &at))
        return at;
    snprintf(other, sizeof other, "%s_time", name);
    if (nc_inq_dimid(f->id, other, &dim) == NC_NOERR && nc_inq_dimid(f->id, name, &across))
        return (struct found){SERIES_OF_ONE, -1, dim, -1};
    snprintf(other, sizeof other, "%.*s_name", (int)(n && name[n - 1] == 's' ? n - 1 : n), name);
    if (nc_inq_varid(f->id, other, &var) != NC_NOERR)
        return (struct found){NOT_HERE, -1, -1, -1};
    other[strlen(other) - strlen("_name")] = '\0';
    if (nc_inq_dimid(f->id, other, &dim) != NC_NOERR)
        return (struct found){NOT_HERE, -1, -1, -1};
    return (struct found){LIST, -1, dim, -1};
}

/* Names of all tables, each after a blank. */
static void list_all(const struct ncaccess *f, char *text, size_t room)
{
    int vars = 0, dims = 0;
    size_t used = 0;
    struct found at;
    char name[NC_MAX_NAME + 1];
    text[0] = '\0';
    nc_inq_ndims(f->id, &dims);
    for (int dim = 0; dim < dims && used < room; dim++) {
        dimension_name(f, dim, name);
        if (ends_in_time(name))
            name[strlen(name) - 5] = '\0';
        at = find(f, name);
        if (at.kind == SERIES_OF_ONE && at.dim == dim)
            used += (size_t)snprintf(text + used, room - used, " %s", name);
        if (at.kind == LIST && at.dim == dim)
            used += (size_t)snprintf(text + used, room - used, " %ss", name);
    }
    nc_inq_nvars(f->id, &vars);
    for (int var = 0; var < vars && used < room; var++)
        if (is_series_of_many(f, var, &at) && nc_inq_varname(f->id, var, name) == NC_NOERR)
            used += (size_t)snprintf(text + used, room - used, " %s", name);
}

static enum err allocate(const struct ncaccess *f, struct nctable *t, size_t rows, size_t columns)
{
    t->rows = rows;
    t->columns = columns;
    t->column = calloc(columns + 1, sizeof *t->column);
    t->value = calloc(rows * columns + 1, sizeof *t->value);
    if (!t->column || !t->value)
        FAIL(MEMORY, "%s: no memory for a table of %zu x %zu", f->path, rows, columns);
    return ERR_OK;
}

/* Text i of a character variable over named items. */
static enum err read_names(const struct ncaccess *f, int dim, size_t count, char **names)
{
    char name[NC_MAX_NAME + 1], variable[NC_MAX_NAME + 8];
    int var, dims = 0, dimension[NC_MAX_VAR_DIMS];
    size_t length = 0;
    nc_type type = NC_NAT;
    dimension_name(f, dim, name);
    snprintf(variable, sizeof variable, "%s_name", name);
    *names = calloc(count + 1, NCTABLE_NAME);
    if (!*names)
        FAIL(MEMORY, "%s: no memory for %zu names", f->path, count);
    for (size_t k = 0; k < count; k++)
        snprintf(*names + k * NCTABLE_NAME, NCTABLE_NAME, "%zu", k + 1);
    if (nc_inq_varid(f->id, variable, &var) != NC_NOERR ||
        nc_inq_var(f->id, var, NULL, &type, &dims, dimension, NULL) != NC_NOERR ||
        type != NC_CHAR || dims != 2 || dimension[0] != dim ||
        nc_inq_dimlen(f->id, dimension[1], &length) != NC_NOERR)
        return ERR_OK;
    for (size_t k = 0; k < count; k++) {
        char *to = *names + k * NCTABLE_NAME;
        const size_t start[2] = {k, 0},
                     n[2] = {1, length < NCTABLE_NAME ? length : NCTABLE_NAME - 1};
        memset(to, 0, NCTABLE_NAME);
        if (nc_get_vara_text(f->id, var, start, n, to) != NC_NOERR)
            return ncaccess_failed(f, variable, NC_EINVAL);
        printable(to);
    }
    return ERR_OK;
}

/* A variable's `n` values become column `column` of the table, or with `wide` columns from there on. */
static enum err read_values(const struct ncaccess *f, int var, struct nctable *t, size_t column,
                            size_t wide)
{
    char name[NC_MAX_NAME + 1] = "?";
    struct packing packing;
    const size_t n = t->rows * wide;
    NC_READ(nc_inq_varname(f->id, var, name));
    TRY(ncaccess_packing(f, name, var, &packing));
    double *x = malloc((n + 1) * sizeof *x);
    if (!x)
        FAIL(MEMORY, "%s: no memory for %zu values of '%s'", f->path, n, name);
    const int status = n ? nc_get_var_double(f->id, var, x) : NC_NOERR;
    for (size_t k = 0; k < n && status == NC_NOERR; k++)
        t->value[k / wide * t->columns + column + k % wide] =
            ncaccess_unpack(&packing, &x[k]) ? x[k] : (double)NAN;
    free(x);
    NC_READ(status);
    for (size_t k = 0; k < wide; k++)
        t->column[column + k].single = packing.single;
    return ERR_OK;
}

/* The variables over only this dimension, `first` before the others; returns their number. */
static int list_over(const struct ncaccess *f, int dim, int first, int *var, int most)
{
    int vars = 0, count = 0;
    nc_inq_nvars(f->id, &vars);
    if (first >= 0)
        var[count++] = first;
    for (int k = 0; k < vars && count < most; k++) {
        int dims = 0, own = -1;
        if (k != first && nc_inq_varndims(f->id, k, &dims) == NC_NOERR && dims == 1 &&
            nc_inq_vardimid(f->id, k, &own) == NC_NOERR && own == dim && is_number(f, k))
            var[count++] = k;
    }
    return count;
}

/* A column for each variable over the dimension. */
static enum err read_columns(const struct ncaccess *f, const struct found *at, struct nctable *t)
{
    enum { MOST = 256 };
    int var[MOST], time = -1;
    size_t rows = 0;
    char name[NC_MAX_NAME + 1] = "?";
    NC_READ(nc_inq_dimlen(f->id, at->dim, &rows));
    dimension_name(f, at->dim, name);
    if (nc_inq_varid(f->id, name, &time) != NC_NOERR)
        time = -1;
    const int count = list_over(f, at->dim, time, var, MOST);
    TRY(allocate(f, t, rows, (size_t)count));
    for (int k = 0; k < count; k++) {
        NC_READ(nc_inq_varname(f->id, var[k], name));
        snprintf(t->column[k].name, NCTABLE_NAME, "%s", name);
        TRY(read_values(f, var[k], t, (size_t)k, 1));
    }
    return ERR_OK;
}

/* The time, and a column for each name. */
static enum err read_wide(const struct ncaccess *f, const struct found *at, struct nctable *t)
{
    char name[NC_MAX_NAME + 1] = "?", *names = NULL;
    size_t rows = 0, across = 0;
    int time;
    NC_READ(nc_inq_dimlen(f->id, at->dim, &rows));
    NC_READ(nc_inq_dimlen(f->id, at->across, &across));
    dimension_name(f, at->dim, name);
    TRY(ncaccess_find(f, name, &time));
    TRY(allocate(f, t, rows, across + 1));
    snprintf(t->column[0].name, NCTABLE_NAME, "%s", name);
    TRY(read_values(f, time, t, 0, 1));
    enum err e = read_names(f, at->across, across, &names);
    for (size_t k = 0; !e && k < across; k++)
        snprintf(t->column[k + 1].name, NCTABLE_NAME, "%s", names + k * NCTABLE_NAME);
    free(names);
    return e ? e : read_values(f, at->var, t, 1, across);
}

static enum err read_found(const struct ncaccess *f, const struct found *at, struct nctable *t)
{
    if (at->kind == SERIES_OF_MANY)
        return read_wide(f, at, t);
    TRY(read_columns(f, at, t));
    if (at->kind != LIST)
        return ERR_OK;
    char name[NC_MAX_NAME + 1];
    dimension_name(f, at->dim, name);
    snprintf(t->key_text, sizeof t->key_text, "%.*s", NCTABLE_NAME - 1, name);
    t->key = t->key_text;
    return read_names(f, at->dim, t->rows, &t->label);
}

enum err nctable_read(struct nctable *t, const char *path, const char *name)
{
    struct ncaccess f;
    char all[1024];
    *t = (struct nctable){0};
    TRY(ncaccess_open(&f, path));
    input_files_note(path);
    const struct found at = find(&f, name);
    enum err e = ERR_OK;
    if (at.kind) {
        e = read_found(&f, &at, t);
    } else {
        list_all(&f, all, sizeof all);
        e = err_set(ERR_USAGE, __FILE__, __LINE__, "%s: there is no table '%s'; there %s%s", path,
                    name, *all ? "are" : "is none", all);
    }
    ncaccess_close(&f);
    return e;
}

void nctable_list(const char *path, char *text, size_t room)
{
    struct ncaccess f;
    text[0] = '\0';
    if (ncaccess_open(&f, path))
        return;
    list_all(&f, text, room);
    ncaccess_close(&f);
}

int nctable_has(const char *path, const char *name)
{
    struct ncaccess f;
    if (ncaccess_open(&f, path))
        return 0;
    const int has = find(&f, name).kind != NOT_HERE;
    ncaccess_close(&f);
    return has;
}

#endif
