/* Opens the netCDF that this program was built with. */
#include "core/base/err.h"

#ifdef HAVE_NETCDF

#include "core/netcdf/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#include "core/base/shared_library.h"

struct netcdf netcdf;

static const struct library_symbol symbols[] = {
#define NETCDF_SYMBOL(name) {"nc_" #name, offsetof(struct netcdf, name)},
    NETCDF_FUNCTIONS(NETCDF_SYMBOL)
#undef NETCDF_SYMBOL
};

/* Global: HDF5 and zlib, which come with it, are looked up by name (core/netcdf/hdf5.c). */
static enum err open_library(void)
{
    struct netcdf found;
    void *library = dlopen(NETCDF_LIBRARY, RTLD_LAZY | RTLD_GLOBAL);
    if (!library)
        FAIL(ABSENT,
             "this build has netCDF, but its library cannot be opened: %s; install it again (on "
             "Debian and Ubuntu: apt-get install libnetcdf-dev)",
             dlerror());
    const char *missing =
        library_resolve(library, &found, symbols, sizeof symbols / sizeof *symbols);
    if (missing) {
        dlclose(library);
        FAIL(ABSENT, NETCDF_LIBRARY " has no %s: run make again, with the netCDF of this machine",
             missing);
    }
    netcdf = found;
    return ERR_OK;
}

enum err netcdf_open(void)
{
    static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
    static int opened;
    pthread_mutex_lock(&opening);
    const enum err e = opened ? ERR_OK : open_library();
    opened = !e;
    pthread_mutex_unlock(&opening);
    return e;
}

#endif
