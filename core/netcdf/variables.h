/* Between a netCDF file and its meaning: finds variables by name, and handles any order of axes,
 * packing and missing values. Errors name the file and the variable. */
#ifndef SHOAL_NETCDF_VARIABLES_H
#define SHOAL_NETCDF_VARIABLES_H

#include <stddef.h>

#include "core/base/err.h"
#include "core/netcdf/library.h"

struct ncaccess {
    const char *path;
    int id;
};

/* A coordinate axis. */
struct ncaxis {
    const char *name;
    int dim, var; /* -1: not in the file */
    size_t n;
    int flipped;   /* descending in the file */
    int single;    /* its values are float in the file */
    double *value; /* n values, ascending, or null if there is no variable; caller frees */
};

/* The file's index of value i of an axis, and the other way round. */
static inline size_t ncaxis_stored(const struct ncaxis *a, size_t i)
{
    return a->flipped ? a->n - 1 - i : i;
}

/* Converts stored numbers to values. */
struct packing {
    double scale, offset;
    double low, high; /* values outside are missing, and so is this one: */
    double missing[3];
    int missings;
    int single; /* no more precise than float */
};

/* Call it before netCDF opens or creates `path`. */
enum err ncaccess_start(const char *path);

/* Fails if the header of a classic file would crash the library, or promises more bytes than the
 * file has; ignores other formats. */
enum err ncheader_check(const char *path, size_t bytes);

/* Fails if a netCDF-4 file would crash the library, as far as can be seen without reading its data. */
enum err ncprobe_check(const char *path);

/* Opens a file for reading; ncaccess_close ends it. */
enum err ncaccess_open(struct ncaccess *f, const char *path);
void ncaccess_close(struct ncaccess *f);

int ncaccess_has(const struct ncaccess *f, const char *name);
int ncaccess_is_scalar(const struct ncaccess *f, const char *name);

/* Reads the coordinate variable `name`, in metres and monotonic; the axis is its dimension. If an
 * axis that is not `required` has no variable, looks for the dimension of that name. */
enum err ncaccess_axis(const struct ncaccess *f, const char *name, int required, struct ncaxis *a);

/* Reads a variable over axes x and y, in either order, with any further dimensions of length one,
 * into *p: y->n rows of x->n values, ascending along both. Missing, infinite and NaN values are
 * errors. Sets `single` if the file's numbers are float or less. The caller frees *p, also on
 * failure. */
enum err ncaccess_plane(const struct ncaccess *f, const char *name, const struct ncaxis *x,
                        const struct ncaxis *y, double **p, int *single);

/* Reads a variable that has one value. */
enum err ncaccess_scalar(const struct ncaccess *f, const char *name, double *value);

/* Fails if a variable has units other than metres. */
enum err ncaccess_metres(const struct ncaccess *f, const char *name);

/* True if a variable (or NC_GLOBAL) has this attribute and it is one number. */
int ncaccess_number(const struct ncaccess *f, int var, const char *name, double *value);

/* Fails if a variable is not in seconds, since any moment. */
enum err ncaccess_seconds(const struct ncaccess *f, int var);

/* The time of the file's record in seconds, 0 if it has no variable `time`. */
enum err ncaccess_time(const struct ncaccess *f, double *t);

/* Parts of the above, for readers of files of other layouts. Reads the values of axis a, whose name
 * and variable are known, whatever their units; the caller frees a->value, also on failure. */
enum err ncaccess_points(const struct ncaccess *f, struct ncaxis *a);

/* How many rows of the slower axis, of `inner` numbers each, to read at a time if the file's chunks
 * have `high` of them: whole chunks, so that each is unpacked once, unless they are too high; then
 * each is unpacked `*unpacked` times. */
size_t ncaccess_slab(size_t high, size_t outer, size_t inner, size_t *unpacked);

/* As ncaccess_plane, but missing values and invalid numbers become NAN. */
enum err ncaccess_plane_with_holes(const struct ncaccess *f, const char *name,
                                   const struct ncaxis *x, const struct ncaxis *y, double **p,
                                   int *single);

/* The dimension that a variable has besides x and y, of any length: time. -1: there is none. */
enum err ncaccess_record_dim(const struct ncaccess *f, const char *name, const struct ncaxis *x,
                             const struct ncaxis *y, int *dim);

/* As ncaccess_plane_with_holes, of one record along such a dimension, into p. */
enum err ncaccess_record(const struct ncaccess *f, const char *name, const struct ncaxis *x,
                         const struct ncaxis *y, int dim, size_t record, double *p);

/* The times of the records along a dimension, s; the caller frees them, also on failure; and their
 * reference, s since 1970, NAN if that is not a date. */
enum err ncaccess_record_times(const struct ncaccess *f, int dim, double **time, double *since);

enum err ncaccess_find(const struct ncaccess *f, const char *name, int *var);
enum err ncaccess_packing(const struct ncaccess *f, const char *name, int var, struct packing *p);

/* True if the stored number is valid; converts it to its value, which may be infinite. */
int ncaccess_unpack(const struct packing *p, double *x);

/* A text attribute, of either kind; "" if there is none, cut if it is long. */
enum { NCACCESS_TEXT = 128 };
void ncaccess_text(const struct ncaccess *f, int var, const char *name, char *text, size_t room);

/* The errors of a netCDF call about a variable, and of a dimension that should have length one. */
enum err ncaccess_failed(const struct ncaccess *f, const char *name, int status);
enum err ncaccess_records(const struct ncaccess *f, const char *name, int dim, size_t n);

/* Runs a netCDF call about variable `name` of file `f`; returns from the caller if it fails. */
#define NC_READ(call)                                   \
    do {                                                \
        int nc_status = (call);                         \
        if (nc_status != NC_NOERR)                      \
            return ncaccess_failed(f, name, nc_status); \
    } while (0)

#endif
