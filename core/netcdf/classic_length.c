/* The length that a classic netCDF file must have: the library reads zeros behind the end of a
 * truncated one without a word. Layout: "NetCDF Classic Format Specification", netCDF manual. */
#include "core/base/err.h"

#ifdef HAVE_NETCDF

#include "core/netcdf/variables.h"

#include <string.h>

/* What the sizes in a header depend on. */
struct layout {
    int id;
    size_t count;  /* bytes of a count or length */
    size_t offset; /* bytes of a file offset */
};

static size_t padded(size_t n)
{
    return (n + 3) / 4 * 4;
}

static size_t type_size(nc_type type)
{
    static const size_t sizes[] = {[NC_BYTE] = 1,  [NC_CHAR] = 1,   [NC_SHORT] = 2, [NC_INT] = 4,
                                   [NC_FLOAT] = 4, [NC_DOUBLE] = 8, [NC_UBYTE] = 1, [NC_USHORT] = 2,
                                   [NC_UINT] = 4,  [NC_INT64] = 8,  [NC_UINT64] = 8};
    return type > 0 && (size_t)type < sizeof sizes / sizeof *sizes ? sizes[type] : 0;
}

/* Bytes of the list of attributes of a variable or of the file. */
static size_t attributes(const struct layout *l, int var, int n)
{
    size_t bytes = 4 + l->count;
    for (int k = 0; k < n; k++) {
        char name[NC_MAX_NAME + 1] = "";
        nc_type type = NC_NAT;
        size_t length = 0;
        if (nc_inq_attname(l->id, var, k, name) == NC_NOERR &&
            nc_inq_att(l->id, var, name, &type, &length) == NC_NOERR)
            bytes +=
                l->count + padded(strlen(name)) + 4 + l->count + padded(length * type_size(type));
    }
    return bytes;
}

static size_t dimensions(const struct layout *l, int n)
{
    size_t bytes = 4 + l->count;
    for (int k = 0; k < n; k++) {
        char name[NC_MAX_NAME + 1] = "";
        if (nc_inq_dimname(l->id, k, name) == NC_NOERR)
            bytes += l->count + padded(strlen(name)) + l->count;
    }
    return bytes;
}

/* Bytes of all records of a variable, or of its values if it has no records; its header. */
static enum err variable(const struct layout *l, int var, int record_dim, size_t *data,
                         size_t *header)
{
    char name[NC_MAX_NAME + 1];
    nc_type type;
    int dims, dim[NC_MAX_VAR_DIMS], atts;
    if (nc_inq_var(l->id, var, name, &type, &dims, dim, &atts) != NC_NOERR)
        FAIL(INPUT, "variable %d cannot be read", var);
    size_t records = 1, bytes = type_size(type);
    for (int k = 0; k < dims; k++) {
        size_t n = 0;
        nc_inq_dimlen(l->id, dim[k], &n);
        if (dim[k] == record_dim)
            records = n;
        else
            bytes *= n;
    }
    *data =
        records > 1 ? records * bytes : padded(bytes); /* a lone record variable is not padded */
    *header = l->count + padded(strlen(name)) + l->count + (size_t)dims * l->count +
              attributes(l, var, atts) + 4 + l->count + l->offset;
    return ERR_OK;
}

enum err ncclassic_size(int id, size_t *least)
{
    int format = 0, dims = 0, vars = 0, atts = 0, record_dim = -1;
    *least = 0;
    if (nc_inq_format(id, &format) != NC_NOERR ||
        nc_inq(id, &dims, &vars, &atts, &record_dim) != NC_NOERR)
        FAIL(INPUT, "the header cannot be read");
    if (format == NC_FORMAT_NETCDF4 || format == NC_FORMAT_NETCDF4_CLASSIC)
        return ERR_OK;
    const struct layout l = {id, format == NC_FORMAT_CDF5 ? 8 : 4,
                             format == NC_FORMAT_CLASSIC ? 4 : 8};
    size_t bytes =
        4 + l.count + dimensions(&l, dims) + attributes(&l, NC_GLOBAL, atts) + 4 + l.count;
    for (int var = 0; var < vars; var++) {
        size_t data = 0, header = 0;
        TRY(variable(&l, var, record_dim, &data, &header));
        bytes += data + header;
    }
    *least = bytes - 3; /* padding after the last value need not be there */
    return ERR_OK;
}

#endif
