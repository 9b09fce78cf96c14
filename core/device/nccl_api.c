/* Finds and opens NCCL, and formats its errors. */
#include "core/device/nccl_api.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/shared_library.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* The first one whose exchanges can be recorded in a graph. */
enum { OLDEST_MAJOR = 2, OLDEST_MINOR = 9 };

struct nccl_api nccl_api;

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

static const struct library_symbol symbols[] = {
#define NCCL_SYMBOL(name, parameters) {#name, offsetof(struct nccl_api, name)},
    {"ncclGetErrorString", offsetof(struct nccl_api, ncclGetErrorString)},
    NCCL_FUNCTIONS(NCCL_SYMBOL)
#undef NCCL_SYMBOL
};

/* Up to 2.8 the number was 1000 times the first one, 100 times the second. */
static int is_new_enough(struct nccl_api *api)
{
    int number = 0;
    if (!api->ncclGetVersion || api->ncclGetVersion(&number) != NCCL_SUCCESS)
        return 0;
    const int unit = number < 10000 ? 1000 : 10000;
    const int major = number / unit, minor = number % unit / 100;
    snprintf(api->version, sizeof api->version, "%d.%d.%d", major, minor, number % 100);
    return major > OLDEST_MAJOR || (major == OLDEST_MAJOR && minor >= OLDEST_MINOR);
}

static int start(struct nccl_api *api, char *why, size_t n)
{
    const char *name = getenv("SHOAL_LIBNCCL");
    /* No multicast over NVLink: some machines announce it but do not have it. */
    setenv("NCCL_NVLS_ENABLE", "0", 1);
    void *library = dlopen(name && *name ? name : "libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(why, n,
                 "no NCCL (%s); install libnccl2, or set SHOAL_LIBNCCL to the path of libnccl.so.2",
                 dlerror());
        return 0;
    }
    const char *missing = library_resolve(library, api, symbols, COUNT_OF(symbols));
    library_path(library, api->path);
    if (is_new_enough(api) && !missing)
        return 1;
    snprintf(why, n,
             "NCCL %s (%s) is too old%s%s: %d.%d or later needed; install a newer libnccl2, or set "
             "SHOAL_LIBNCCL to the path of its libnccl.so.2",
             *api->version ? api->version : "of no version", api->path, missing ? ", without " : "",
             missing ? missing : "", OLDEST_MAJOR, OLDEST_MINOR);
    dlclose(library);
    return 0;
}

int nccl_api_open(char *why, size_t n)
{
    static int opened;
    pthread_mutex_lock(&opening);
    if (!opened) {
        struct nccl_api api = {0};
        opened = start(&api, why, n);
        if (opened)
            nccl_api = api;
    }
    const int result = opened;
    pthread_mutex_unlock(&opening);
    return result;
}

enum err nccl_check(int result, const char *call, const char *file, int line)
{
    if (result == NCCL_SUCCESS)
        return ERR_OK;
    return err_set(ERR_MACHINE, file, line,
                   "%.*s: %s (NCCL error %d); NCCL_DEBUG=WARN in the environment shows why, and "
                   "--exchange host, or mpi between processes, does without NCCL",
                   (int)strcspn(call, "("), call, nccl_api.ncclGetErrorString(result), result);
}
