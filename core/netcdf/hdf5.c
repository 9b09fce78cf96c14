/* Finding HDF5 and zlib in the running program. */
#include "core/netcdf/hdf5.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/types.h>

enum { FILES = 1, ALL = 31, MOST_OPEN = 64, PATH_ROOM = 4096 + 64 };

static int find(const char *name, void *function, size_t bytes)
{
    void *object = dlsym(RTLD_DEFAULT, name);
    memcpy(function, &object, bytes);
    return object != NULL;
}
#define FIND(name, function) find(name, &(function), sizeof(function))

/* netCDF's identifier of the HDF5 file, which it has no function for. */
static int find_file(struct hdf5 *h, const char *path)
{
    hdf5_id opened[MOST_OPEN];
    ssize_t (*list)(hdf5_id file, unsigned types, size_t most, hdf5_id *ids);
    ssize_t (*get_name)(hdf5_id file, char *name, size_t room);
    if (!FIND("H5Fget_obj_ids", list) || !FIND("H5Fget_name", get_name))
        return 0;
    const ssize_t n = list(ALL, FILES, MOST_OPEN, opened);
    for (ssize_t k = 0; k < n; k++) {
        char name[PATH_ROOM];
        h->file = opened[k];
        if (get_name(h->file, name, sizeof name) > 0 && strcmp(name, path) == 0)
            return 1;
    }
    return 0;
}

int hdf5_find(struct hdf5 *h, const char *path)
{
    return FIND("H5Dopen2", h->open) && FIND("H5Dset_extent", h->set_extent) &&
           FIND("H5Dwrite_chunk", h->write_chunk) && FIND("H5Dclose", h->close) &&
           FIND("compress2", h->compress) && find_file(h, path);
}
