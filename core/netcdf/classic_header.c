/* The header of a classic netCDF file, read before the library reads it, which copies names of any length
 * into buffers for NC_MAX_NAME characters and dies of types that there are not (seen with 4.9.0). Layout: "NetCDF Classic Format
 * Specification", netCDF manual. */
#include "core/base/err.h"

#ifdef HAVE_NETCDF

#include "core/netcdf/variables.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct header {
    FILE *file;
    const char *path;
    int wide;   /* counts have eight bytes: CDF-5 */
    int offset; /* bytes of a file offset */
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

/* With the padding that follows it. */
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

/* The length of a list that has this tag, or 0 and any tag. */
static enum err begin_list(const struct header *h, uint64_t tag, uint64_t *n)
{
    uint64_t found;
    TRY(number(h, 4, &found));
    TRY(count(h, n));
    return found == tag || *n == 0 ? ERR_OK : bad(h, "its header makes no sense");
}

static enum err dimensions(const struct header *h)
{
    uint64_t n, length;
    TRY(begin_list(h, 0xA, &n));
    for (; n > 0; n--) {
        TRY(name(h));
        TRY(count(h, &length));
    }
    return ERR_OK;
}

/* The bytes of a value; the library divides by them. */
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

static enum err variables(const struct header *h)
{
    uint64_t n, dims, any;
    TRY(begin_list(h, 0xB, &n));
    for (; n > 0; n--) {
        TRY(name(h));
        TRY(count(h, &dims));
        if (dims > NC_MAX_VAR_DIMS)
            return bad(h, "a variable has too many dimensions");
        for (; dims > 0; dims--)
            TRY(count(h, &any));
        TRY(attributes(h));
        TRY(type(h, &any));
        TRY(count(h, &any)); /* bytes */
        TRY(number(h, h->offset, &any));
    }
    return ERR_OK;
}

static enum err check(struct header *h)
{
    char magic[4] = "";
    uint64_t records;
    if (fread(magic, 1, sizeof magic, h->file) != sizeof magic || memcmp(magic, "CDF", 3) != 0 ||
        (magic[3] != 1 && magic[3] != 2 && magic[3] != 5))
        return ERR_OK; /* another format */
    h->wide = magic[3] == 5;
    h->offset = magic[3] == 1 ? 4 : 8;
    TRY(count(h, &records));
    TRY(dimensions(h));
    TRY(attributes(h));
    return variables(h);
}

enum err ncheader_check(const char *path)
{
    struct header h = {.path = path, .file = fopen(path, "rb")};
    if (!h.file)
        return ERR_OK; /* the library says why */
    const enum err e = check(&h);
    fclose(h.file);
    return e;
}

#endif
