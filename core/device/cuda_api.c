/* Finds and opens the CUDA driver, and formats its errors. */
#include "core/device/cuda_api.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/shared_library.h"
#include "core/compile/cuda_toolkit.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

struct cuda_api cuda_api;

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

static const struct library_symbol cuda_symbols[] = {
#define CUDA_SYMBOL(name, symbol, parameters) {symbol, offsetof(struct cuda_api, name)},
    CUDA_FUNCTIONS(CUDA_SYMBOL)};

static const struct library_symbol graph_symbols[] = {CUDA_GRAPH_FUNCTIONS(CUDA_SYMBOL)};

static const struct library_symbol peer_symbols[] = {CUDA_PEER_FUNCTIONS(CUDA_SYMBOL)};

static const struct library_symbol lend_symbols[] = {CUDA_LEND_FUNCTIONS(CUDA_SYMBOL)};

static const struct library_symbol growing_symbols[] = {CUDA_GROWING_FUNCTIONS(CUDA_SYMBOL)
#undef CUDA_SYMBOL
};

/* An old driver does not know the errors of newer ones and returns NULL. */
static void name_error(const struct cuda_api *api, CUresult r, const char **name, const char **text)
{
    if (api->cuGetErrorName(r, name) != CUDA_SUCCESS || !*name)
        *name = "unknown error";
    if (api->cuGetErrorString(r, text) != CUDA_SUCCESS || !*text)
        *text = "no description";
}

static int start_driver(struct cuda_api *api, char *why, size_t n)
{
    const char *name = getenv("SHOAL_LIBCUDA");
    if (!name || !*name)
        name = "libcuda.so.1";
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(why, n, "no CUDA driver library (%s); install NVIDIA's driver for the GPU",
                 dlerror());
        return 0;
    }
    const char *missing = library_resolve(library, api, cuda_symbols, COUNT_OF(cuda_symbols));
    api->graphs = !library_resolve(library, api, graph_symbols, COUNT_OF(graph_symbols));
    api->peers = !library_resolve(library, api, peer_symbols, COUNT_OF(peer_symbols));
    api->lends = !library_resolve(library, api, lend_symbols, COUNT_OF(lend_symbols));
    api->growing = !library_resolve(library, api, growing_symbols, COUNT_OF(growing_symbols));
    int version = 0;
    if (api->cuDriverGetVersion && api->cuDriverGetVersion(&version) == CUDA_SUCCESS) {
        api->major = version / 1000;
        api->minor = version % 1000 / 10;
    }
    if (missing || cuda_older_than_needed(api->major, api->minor)) {
        cuda_too_old("the NVIDIA driver", api->major, api->minor, missing, why, n);
        dlclose(library);
        return 0;
    }
    /* Kernels of several GPUs wait for each other, and loading one lazily may wait for all to end. */
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    CUresult r = api->cuInit(0);
    if (r != CUDA_SUCCESS) {
        const char *error, *text;
        name_error(api, r, &error, &text);
        snprintf(why, n, "%s: cuInit returns %s (%s)",
                 r == CUDA_ERROR_NO_DEVICE ? "no CUDA device" : "the CUDA driver does not start",
                 error, text);
        return 0;
    }
    return 1;
}

int cuda_api_open(char *why, size_t n)
{
    static int opened;
    pthread_mutex_lock(&opening);
    if (!opened) {
        struct cuda_api api = {0};
        opened = start_driver(&api, why, n);
        if (opened)
            cuda_api = api;
    }
    int result = opened;
    pthread_mutex_unlock(&opening);
    return result;
}

/* After these every later call fails, too: a kernel has broken the context. */
static int is_sticky(CUresult r)
{
    return r == CUDA_ERROR_ILLEGAL_ADDRESS || r == CUDA_ERROR_LAUNCH_TIMEOUT ||
           r == CUDA_ERROR_ASSERT ||
           (r >= CUDA_ERROR_HARDWARE_STACK_ERROR && r <= CUDA_ERROR_LAUNCH_FAILED);
}

/* Errors of the device itself, or of the connection to it. */
static int is_lost(CUresult r)
{
    return r == CUDA_ERROR_DEVICE_UNAVAILABLE || r == CUDA_ERROR_ECC_UNCORRECTABLE ||
           r == CUDA_ERROR_NVLINK_UNCORRECTABLE || r == CUDA_ERROR_CONTEXT_IS_DESTROYED ||
           r == CUDA_ERROR_UNKNOWN;
}

static const char *remedy(CUresult r)
{
    if (is_sticky(r))
        return "; a kernel failed, and this process can no longer use the GPU";
    if (is_lost(r))
        return "; the GPU may be lost: see nvidia-smi and the system's log, or use --backend cpu";
    return "";
}

enum err cuda_check(CUresult r, const char *call, const char *file, int line)
{
    if (r == CUDA_SUCCESS)
        return ERR_OK;
    const char *name, *text;
    name_error(&cuda_api, r, &name, &text);
    return err_set(r == CUDA_ERROR_OUT_OF_MEMORY ? ERR_MEMORY : ERR_MACHINE, file, line,
                   "%.*s: %s (%s, CUDA error %d)%s", (int)strcspn(call, "("), call, name, text,
                   (int)r, remedy(r));
}
