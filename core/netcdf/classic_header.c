/* Checks the header of a classic netCDF file before the library reads it. The library (seen with
 * 4.9.0) copies names of any length into buffers for NC_MAX_NAME characters, crashes on types
 * that do not exist, and silently reads zeros beyond the end of a truncated file;
 * tests/netcdf/test_netcdf_read.c has such files. Opening the file in a child first, as for
 * HDF5, does not detect truncation; and `make fuzz TARGET=netcdf` found headers within minutes
 * that make the library allocate gigabytes there. Layout: "NetCDF Classic Format Specification",
 * netCDF manual. */
#include "core/base/err.h"

#ifdef HAVE_NETCDF

#include "core/netcdf/variables.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct header {
    FILE *file;
    const char *path;
    size_t bytes; /* of the file */
    int wide;     /* counts have eight bytes: CDF-5 */
    int offset;   /* bytes of a file offset */
    uint64_t records, dims;
    uint64_t *length; /* of each dimension; 0: the record dimension */
};

/* Where values end; double, so that nothing a header claims overflows. Variables with records
 * interleave. */
struct extent {
    double fixed, first; /* end of variables without records; of first records */
    double turn;         /* from one record to the next */
    double alone;        /* the same if only one variable has records: no padding then */
    int turns;           /* number of variables with records */
};

static enum err bad(const struct header *h, const char *what)
{
    FAIL(INPUT, "%s: cannot be opened: the file is truncated or damaged (%s)", h->path, what);
}

static enum err number(const struct header *h, int bytes, uint64_t *n)
{
    *n = 0;
    for (int k = 0; k < bytes; k++) {
        const int c = getc(h->file);
        if (c == EOF)
            return bad(h, "its header ends early");
        *n = *n << 8 | (uint64_t)c;
    }
    return ERR_OK;
}

static enum err count(const struct header *h, uint64_t *n)
{
    return number(h, h->wide ? 8 : 4, n);
}

/* Skips bytes, and the padding after them. */
static enum err skip(const struct header *h, uint64_t bytes)
{
    const uint64_t most = (uint64_t)1 << 40;
    if (bytes > most || fseeko(h->file, (off_t)((bytes + 3) / 4 * 4), SEEK_CUR) != 0)
        return bad(h, "its header promises more than a file can hold");
    return ERR_OK;
}

static enum err name(const struct header *h)
{
    uint64_t n;
    TRY(count(h, &n));
    if (n > NC_MAX_NAME)
        return bad(h, "a name in it is too long");
    return skip(h, n);
}

/* The length of a list with this tag; an empty list may have any tag. */
static enum err begin_list(const struct header *h, uint64_t tag, uint64_t *n)
{
    uint64_t found;
    TRY(number(h, 4, &found));
    TRY(count(h, n));
    return found == tag || *n == 0 ? ERR_OK : bad(h, "its header makes no sense");
}

static enum err dimensions(struct header *h)
{
    TRY(begin_list(h, 0xA, &h->dims));
    if (h->dims > h->bytes / 8)
        return bad(h, "its header promises more than a file can hold");
    h->length = calloc(h->dims + 1, sizeof *h->length);
    if (!h->length)
        FAIL(MEMORY, "%s: no memory for its %zu dimensions", h->path, (size_t)h->dims);
    for (uint64_t k = 0; k < h->dims; k++) {
        TRY(name(h));
        TRY(count(h, &h->length[k]));
    }
    return ERR_OK;
}

/* The size of a value in bytes; the library divides by it. */
static enum err type(const struct header *h, uint64_t *bytes)
{
    static const uint64_t sizes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8}; /* from NC_BYTE = 1 on */
    uint64_t t;
    TRY(number(h, 4, &t));
    if (t < NC_BYTE || t > (h->wide ? NC_UINT64 : NC_DOUBLE))
        return bad(h, "a type in it is none");
    *bytes = sizes[t];
    return ERR_OK;
}

static enum err attributes(const struct header *h)
{
    uint64_t n, bytes, values;
    TRY(begin_list(h, 0xC, &n));
    for (; n > 0; n--) {
        TRY(name(h));
        TRY(type(h, &bytes));
        TRY(count(h, &values));
        if (values > UINT32_MAX)
            return bad(h, "an attribute in it is too long");
        TRY(skip(h, values * bytes));
    }
    return ERR_OK;
}

/* Number of values of a variable, or of each of its records if it has any. */
static enum err shape(const struct header *h, double *values, int *has_records)
{
    uint64_t dims, dim;
    *values = 1;
    *has_records = 0;
    TRY(count(h, &dims));
    if (dims > NC_MAX_VAR_DIMS)
        return bad(h, "a variable has too many dimensions");
    for (uint64_t k = 0; k < dims; k++) {
        TRY(count(h, &dim));
        if (dim >= h->dims)
            return bad(h, "a variable has a dimension that is none");
        if (h->length[dim] == 0)
            *has_records = 1;
        else
            *values *= (double)h->length[dim];
    }
    return ERR_OK;
}

static void extend(struct extent *e, double begin, double bytes, int has_records)
{
    double *end = has_records ? &e->first : &e->fixed;
    *end = fmax(*end, begin + bytes);
    if (has_records) {
        e->turn += ceil(bytes / 4) * 4;
        e->alone = bytes;
        e->turns++;
    }
}

static enum err variables(const struct header *h, struct extent *e)
{
    uint64_t n, bytes, any, begin;
    double values;
    int has_records;
    TRY(begin_list(h, 0xB, &n));
    for (; n > 0; n--) {
        TRY(name(h));
        TRY(shape(h, &values, &has_records));
        TRY(attributes(h));
        TRY(type(h, &bytes));
        TRY(count(h, &any)); /* size in bytes again, or less if the number does not fit */
        TRY(number(h, h->offset, &begin));
        extend(e, (double)begin, values * (double)bytes, has_records);
    }
    return ERR_OK;
}

/* Padding after the last value may be missing. */
static enum err check_length(const struct header *h, const struct extent *e)
{
    const double turn = e->turns == 1 ? e->alone : e->turn;
    const double last = h->records > 0 ? e->first + turn * (double)(h->records - 1) : 0;
    const double least = fmax(e->fixed, last);
    if ((double)h->bytes < least)
        FAIL(INPUT, "%s: is truncated: it has %zu bytes, its header promises at least %.0f",
             h->path, h->bytes, least);
    return ERR_OK;
}

static enum err check(struct header *h)
{
    struct extent e = {0};
    char magic[4] = "";
    if (fread(magic, 1, sizeof magic, h->file) != sizeof magic || memcmp(magic, "CDF", 3) != 0 ||
        (magic[3] != 1 && magic[3] != 2 && magic[3] != 5))
        return ERR_OK; /* another format */
    h->wide = magic[3] == 5;
    h->offset = magic[3] == 1 ? 4 : 8;
    TRY(count(h, &h->records));
    TRY(dimensions(h));
    TRY(attributes(h));
    TRY(variables(h, &e));
    return check_length(h, &e);
}

enum err ncheader_check(const char *path, size_t bytes)
{
    struct header h = {.path = path, .bytes = bytes, .file = fopen(path, "rb")};
    if (!h.file)
        return ERR_OK; /* the library says why */
    const enum err e = check(&h);
    free(h.length);
    fclose(h.file);
    return e;
}

#endif
