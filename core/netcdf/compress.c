/* Packs chunks of maps in the way of the file's filters. HDF5's own filters would run in the
 * thread that writes, one chunk after the other; it only writes chunks that are already packed.
 * Every reader of HDF5 unpacks them. */
#include "core/netcdf/netcdf_file.h"

#ifdef HAVE_NETCDF

#include <stdlib.h>
#include <string.h>

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

/* Through both filters, into b->values. */
static enum err pack(const struct ncwriter *w, struct ncbuffer *b, size_t n, int level)
{
    const size_t size = precision_size(w->info.precision);
    unsigned long bytes = b->room;
    shuffle(b->values, n, size, b->packed);
    if (w->hdf5.compress(b->values, &bytes, b->packed, n * size, level))
        FAIL(MEMORY, "no memory to compress '%s'", w->file.path);
    b->bytes = bytes;
    return ERR_OK;
}

/* The same bits in all of a piece. */
static int is_uniform(const struct ncbuffer *b, const struct piece *c, size_t width, size_t size)
{
    const char *first = b->values;
    for (size_t j = 0; j < c->count[0]; j++) {
        const char *row = first + j * width * size;
        if (memcmp(row, first, size) != 0 || memcmp(row, row + size, (c->count[1] - 1) * size) != 0)
            return 0;
    }
    return 1;
}

/* The number in b->values, n times; most often it is the last chunk's again. */
static enum err pack_uniform(const struct ncwriter *w, struct ncbuffer *b, size_t n, size_t size)
{
    struct ncuniform *u = &b->uniform;
    if (u->size != size || u->n != n || memcmp(u->number, b->values, size) != 0) {
        memcpy(u->number, b->values, size);
        for (size_t k = 1; k < n; k++)
            memcpy((char *)b->values + k * size, u->number, size);
        TRY(pack(w, b, n, 1));
        free(u->packed);
        u->packed = malloc(b->bytes);
        u->n = u->packed ? n : 0;
        u->size = size;
        u->bytes = b->bytes;
        if (!u->packed)
            FAIL(MEMORY, "no memory to write '%s'", w->file.path);
        memcpy(u->packed, b->values, b->bytes);
    }
    b->stored = u->packed;
    b->bytes = u->bytes;
    return ERR_OK;
}

enum err ncpack(const struct ncwriter *w, struct ncbuffer *b, const struct piece *c, size_t width,
                size_t n)
{
    enum { SHUFFLE = 1, DEFLATE = 2 };
    const size_t size = precision_size(w->info.precision);
    b->stored = b->values;
    b->bytes = n * size;
    b->left_out = 0;
    if (w->info.deflate > 0)
        return pack(w, b, n, w->info.deflate);
    if (ncwrite_packs_uniform(w) && is_uniform(b, c, width, size))
        return pack_uniform(w, b, n, size);
    b->left_out = ncwrite_packs_uniform(w) ? SHUFFLE | DEFLATE : 0;
    return ERR_OK;
}

enum err ncpack_write(const struct ncwriter *w, const struct ncpacked *p, size_t which,
                      const struct piece *at, const struct ncbuffer *b)
{
    const hdf5_size offset[3] = {w->records, at->start[0], at->start[1]};
    H5(w->hdf5.write_chunk(p->set[which], 0, b->left_out, offset + !p->plane[which].timed, b->bytes,
                           b->stored));
    return ERR_OK;
}

#endif
