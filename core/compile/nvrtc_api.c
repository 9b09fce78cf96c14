/* Finds and opens NVRTC, and formats its errors. */
#include "core/compile/nvrtc_api.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "core/base/shared_library.h"
#include "core/compile/cuda_toolkit.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

struct nvrtc_api nvrtc_api;

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

static const struct library_symbol nvrtc_symbols[] = {
    {"nvrtcGetErrorString", offsetof(struct nvrtc_api, nvrtcGetErrorString)},
#define NVRTC_SYMBOL(name, symbol, parameters) {symbol, offsetof(struct nvrtc_api, name)},
    NVRTC_FUNCTIONS(NVRTC_SYMBOL)
#undef NVRTC_SYMBOL
};

/* NVRTC opens its "builtins" library by bare name, which fails for a folder unknown to the loader
 * unless it is already open. */
static void open_builtins(const struct nvrtc_api *api)
{
    char path[PATH_LENGTH + 64];
    const char *slash = strrchr(api->path, '/');
    if (slash) {
        snprintf(path, sizeof path, "%.*s/libnvrtc-builtins.so.%d.%d", (int)(slash - api->path),
                 api->path, api->major, api->minor);
        dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
}

static int start_nvrtc(struct nvrtc_api *api, char *why, size_t n)
{
    static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                        "libnvrtc.so"};
    char looked[2 * PATH_LENGTH];
    void *library = cuda_toolkit_open(names, COUNT_OF(names), looked, sizeof looked);
    if (!library) {
        snprintf(why, n,
                 "NVRTC, CUDA's run-time compiler, was not found in: %s; ./bootstrap --cuda "
                 "fetches it, or set SHOAL_CUDA to the folder of a CUDA toolkit",
                 looked);
        return 0;
    }
    const char *missing = library_resolve(library, api, nvrtc_symbols, COUNT_OF(nvrtc_symbols));
    if (api->nvrtcVersion && api->nvrtcVersion(&api->major, &api->minor) != NVRTC_SUCCESS)
        api->major = 0;
    library_path(library, api->path);
    if (missing || cuda_older_than_needed(api->major, api->minor)) {
        char what[PATH_LENGTH + 16];
        snprintf(what, sizeof what, "NVRTC (%s)", api->path);
        cuda_too_old(what, api->major, api->minor, missing, why, n);
        dlclose(library);
        return 0;
    }
    open_builtins(api);
    return 1;
}

int nvrtc_api_open(char *why, size_t n)
{
    static int opened;
    pthread_mutex_lock(&opening);
    if (!opened) {
        struct nvrtc_api api = {0};
        opened = start_nvrtc(&api, why, n);
        if (opened)
            nvrtc_api = api;
    }
    int result = opened;
    pthread_mutex_unlock(&opening);
    return result;
}

enum err nvrtc_check(nvrtcResult r, const char *call, const char *file, int line)
{
    if (r == NVRTC_SUCCESS)
        return ERR_OK;
    return err_set(ERR_MACHINE, file, line, "%.*s: %s (NVRTC %d.%d, %s)", (int)strcspn(call, "("),
                   call, nvrtc_api.nvrtcGetErrorString(r), nvrtc_api.major, nvrtc_api.minor,
                   nvrtc_api.path);
}
