/* Packs chunks of maps in the way of the file's filters. HDF5's own filters would run in the
 * thread that writes, one chunk after the other; it only writes chunks that are already packed.
 * Every reader of HDF5 unpacks them. */
#include "core/netcdf/netcdf_file.h"

#ifdef HAVE_NETCDF

#include <stdlib.h>

#include "core/netcdf/write_parts.h"

/* Runs a call to HDF5 of the writer `w`, as NC does. */
#define H5(call)                                         \
    do {                                                 \
        errno = 0;                                       \
        if ((call) < 0)                                  \
            return ncwrite_failed(w, NC_EHDFERR, errno); \
    } while (0)

static enum err open_map(const struct ncwriter *w, const struct plane *p, hdf5_id *set)
{
    const hdf5_size sizes[3] = {w->records + 1, p->ny, p->nx};
    char name[NC_MAX_NAME + 1];
    NC(nc_inq_varname(w->id, p->var, name));
    H5(*set = w->hdf5.open(w->hdf5.file, name, 0));
    if (p->timed)
        H5(w->hdf5.set_extent(*set, sizes));
    return ERR_OK;
}

enum err ncpack_open(const struct ncwriter *w, const struct plane *p, size_t n, struct ncpacked *to)
{
    errno = 0;
    const int status = nc_enddef(w->id); /* before that HDF5 lacks the variables */
    if (status != NC_NOERR && status != NC_ENOTINDEFINE)
        return ncwrite_failed(w, status, errno);
    *to = (struct ncpacked){.plane = p};
    enum err e = ERR_OK;
    for (size_t k = 0; k < n && !e; k++) {
        to->set[k] = -1;
        to->count = k + 1;
        e = open_map(w, &p[k], &to->set[k]);
    }
    if (e)
        ncpack_close(w, to);
    return e;
}

void ncpack_close(const struct ncwriter *w, struct ncpacked *p)
{
    for (size_t k = 0; k < p->count; k++)
        if (p->set[k] >= 0)
            w->hdf5.close(p->set[k]);
}

void ncpack_blank(const struct ncwriter *w, struct ncbuffer *b, size_t n)
{
    if (w->info.precision == F64)
        for (size_t k = 0; k < n; k++)
            ((double *)b->values)[k] = NC_FILL_DOUBLE;
    else
        for (size_t k = 0; k < n; k++)
            ((float *)b->values)[k] = NC_FILL_FLOAT;
}

/* All first bytes of n numbers, then all second ones, and so on. */
static void shuffle(const unsigned char *from, size_t n, size_t size, unsigned char *to)
{
    for (size_t byte = 0; byte < size; byte++)
        for (size_t k = 0; k < n; k++)
            to[byte * n + k] = from[k * size + byte];
}

enum err ncpack(const struct ncwriter *w, struct ncbuffer *b, size_t n)
{
    const size_t size = precision_size(w->info.precision);
    unsigned long bytes = b->room;
    b->bytes = n * size;
    if (w->info.deflate == 0)
        return ERR_OK;
    shuffle(b->values, n, size, b->packed);
    if (w->hdf5.compress(b->values, &bytes, b->packed, n * size, w->info.deflate))
        FAIL(MEMORY, "no memory to compress '%s'", w->file.path);
    b->bytes = bytes;
    return ERR_OK;
}

enum err ncpack_write(const struct ncwriter *w, const struct ncpacked *p, size_t which,
                      const struct piece *at, const struct ncbuffer *b)
{
    const hdf5_size offset[3] = {w->records, at->start[0], at->start[1]};
    H5(w->hdf5.write_chunk(p->set[which], 0, 0, offset + !p->plane[which].timed, b->bytes,
                           b->values));
    return ERR_OK;
}

#endif
