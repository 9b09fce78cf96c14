/* Functions of HDF5 and zlib that Shoal calls itself. netCDF brings both, depending on its build,
 * and their headers may be missing: so they are looked up by name in the running program. */
#ifndef SHOAL_HDF5_H
#define SHOAL_HDF5_H

#include <stddef.h>
#include <stdint.h>

typedef int64_t hdf5_id;
typedef unsigned long long hdf5_size;

/* H5Dopen2, H5Dset_extent, H5Dwrite_chunk, H5Dclose, and zlib's compress2. */
struct hdf5 {
    hdf5_id file; /* the opened file; netCDF closes it */
    hdf5_id (*open)(hdf5_id file, const char *name, hdf5_id access);
    int (*set_extent)(hdf5_id set, const hdf5_size sizes[]);
    int (*write_chunk)(hdf5_id set, hdf5_id transfer, uint32_t left_out, const hdf5_size offset[],
                       size_t bytes, const void *data);
    int (*close)(hdf5_id set);
    int (*compress)(unsigned char *to, unsigned long *to_bytes, const unsigned char *from,
                    unsigned long bytes, int level);
};

/* True if all are found and netCDF has the file `path` open. */
int hdf5_find(struct hdf5 *h, const char *path);

#endif
