/* Finds and opens GDAL. */
#include "core/raster/gdal_api.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/shared_library.h"

struct gdal_api gdal_api;

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

static const struct library_symbol symbols[] = {
#define GDAL_SYMBOL(result, name, parameters) {#name, offsetof(struct gdal_api, name)},
    GDAL_FUNCTIONS(GDAL_SYMBOL)
#undef GDAL_SYMBOL
};

/* GDAL 3.0 is libgdal.so.26; each minor version since has a number of its own. */
enum { OLDEST = 26, NEWEST = 60 };

static void *open_library(const char **name)
{
    static char versioned[32];
    const char *given = getenv("SHOAL_LIBGDAL");
    if (given && *given) {
        *name = given;
        return dlopen(given, RTLD_NOW | RTLD_LOCAL);
    }
    *name = "libgdal.so";
    for (int k = NEWEST; k >= OLDEST; k--) {
        snprintf(versioned, sizeof versioned, "libgdal.so.%d", k);
        void *library = dlopen(versioned, RTLD_NOW | RTLD_LOCAL);
        if (library) {
            *name = versioned;
            return library;
        }
    }
    return dlopen(*name, RTLD_NOW | RTLD_LOCAL);
}

static int start(struct gdal_api *api, char *why, size_t n)
{
    const char *name;
    void *library = open_library(&name);
    if (!library) {
        snprintf(
            why, n,
            "there is no GDAL (%s): install it (on Debian and Ubuntu: apt-get install gdal-bin)",
            dlerror());
        return 0;
    }
    const char *missing = library_resolve(library, api, symbols, sizeof symbols / sizeof *symbols);
    if (missing) {
        snprintf(why, n, "GDAL is too old: %s has no %s; install GDAL 3.0 or later", name, missing);
        dlclose(library);
        return 0;
    }
    api->GDALAllRegister();
    return 1;
}

int gdal_api_open(char *why, size_t n)
{
    static int opened;
    pthread_mutex_lock(&opening);
    if (!opened) {
        struct gdal_api api = {0};
        opened = start(&api, why, n);
        if (opened)
            gdal_api = api;
    }
    const int result = opened;
    pthread_mutex_unlock(&opening);
    return result;
}
