/* Compares the content of two netCDF files to the bit; include after cmocka.h. */
#ifndef SHOAL_TEST_VARIABLES_H
#define SHOAL_TEST_VARIABLES_H

#ifdef HAVE_NETCDF

#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

/* The content of a variable, to be freed; *bytes: its size. */
static inline void *variable_of(int id, int var, size_t *bytes)
{
    int dims = 0, dim[NC_MAX_VAR_DIMS];
    nc_type type;
    size_t length = 0;
    if (nc_inq_var(id, var, NULL, &type, &dims, dim, NULL) || nc_inq_type(id, type, NULL, bytes))
        return NULL;
    for (int k = 0; k < dims; k++) {
        assert_int_equal(nc_inq_dimlen(id, dim[k], &length), NC_NOERR);
        *bytes *= length;
    }
    void *data = malloc(*bytes + 1);
    assert_non_null(data);
    if (!nc_get_var(id, var, data))
        return data;
    free(data);
    return NULL;
}

static inline int variable_differs(int a, int b, int var, const char *name)
{
    int other;
    size_t n = 0, m = 0;
    if (nc_inq_varid(b, name, &other))
        return 1;
    void *x = variable_of(a, var, &n), *y = variable_of(b, other, &m);
    const int same = x && y && n == m && memcmp(x, y, n) == 0;
    free(x);
    free(y);
    return !same;
}

/* Are the variables of both files the same, to the bit? If not, `which` is the first that
 * differs or is missing, or a file that cannot be read. */
static inline int same_variables(const char *one, const char *two, char which[NC_MAX_NAME + 1])
{
    int a, b, count, other, same = 1;
    const char *unread = nc_open(one, NC_NOWRITE, &a) ? one : NULL;
    if (!unread && nc_open(two, NC_NOWRITE, &b)) {
        nc_close(a);
        unread = two;
    }
    if (unread) {
        snprintf(which, NC_MAX_NAME + 1, "%s", unread);
        return 0;
    }
    assert_int_equal(nc_inq_nvars(a, &count), NC_NOERR);
    assert_int_equal(nc_inq_nvars(b, &other), NC_NOERR);
    snprintf(which, NC_MAX_NAME + 1, "the number of variables");
    same = count == other;
    for (int var = 0; var < count && same; var++) {
        assert_int_equal(nc_inq_varname(a, var, which), NC_NOERR);
        same = !variable_differs(a, b, var, which);
    }
    nc_close(a);
    nc_close(b);
    return same;
}

#endif

#endif
