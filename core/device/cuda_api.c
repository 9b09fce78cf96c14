/* Finds and opens the CUDA driver and NVRTC, and words their errors. */
#include "core/device/cuda_api.h"

#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

struct cuda_api cuda_api;
struct nvrtc_api nvrtc_api;

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

static const struct cuda_symbol cuda_symbols[] = {
#define CUDA_SYMBOL(name, symbol, parameters) {symbol, offsetof(struct cuda_api, name)},
    CUDA_FUNCTIONS(CUDA_SYMBOL)};

static const struct cuda_symbol graph_symbols[] = {CUDA_GRAPH_FUNCTIONS(CUDA_SYMBOL)
#undef CUDA_SYMBOL
};

static const struct cuda_symbol nvrtc_symbols[] = {
    {"nvrtcGetErrorString", offsetof(struct nvrtc_api, nvrtcGetErrorString)},
#define NVRTC_SYMBOL(name, symbol, parameters) {symbol, offsetof(struct nvrtc_api, name)},
    NVRTC_FUNCTIONS(NVRTC_SYMBOL)
#undef NVRTC_SYMBOL
};

const char *cuda_resolve(void *library, void *table, const struct cuda_symbol *symbols,
                         size_t count)
{
    const char *missing = NULL;
    for (size_t k = 0; k < count; k++) {
        void *p = dlsym(library, symbols[k].name);
        if (!p && !missing)
            missing = symbols[k].name;
        memcpy((char *)table + symbols[k].offset, &p, sizeof p);
    }
    return missing;
}

static int older_than_needed(int major, int minor)
{
    return major < CUDA_NEEDED_MAJOR || (major == CUDA_NEEDED_MAJOR && minor < CUDA_NEEDED_MINOR);
}

static void too_old(const char *what, int major, int minor, const char *missing, char *why,
                    size_t n)
{
    char found[32] = "an unknown version of CUDA";
    if (major > 0)
        snprintf(found, sizeof found, "CUDA %d.%d", major, minor);
    snprintf(why, n, "%s is too old: %s found%s%s%s, CUDA %d.%d or later needed", what, found,
             missing ? " (without " : "", missing ? missing : "", missing ? ")" : "",
             CUDA_NEEDED_MAJOR, CUDA_NEEDED_MINOR);
}

/* The variable's value, NULL if it is unset or empty. */
static const char *setting(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* An old driver does not know the errors of newer ones and gives NULL. */
static void name_error(const struct cuda_api *api, CUresult r, const char **name, const char **text)
{
    if (api->cuGetErrorName(r, name) != CUDA_SUCCESS || !*name)
        *name = "unknown error";
    if (api->cuGetErrorString(r, text) != CUDA_SUCCESS || !*text)
        *text = "no description";
}

static int start_driver(struct cuda_api *api, char *why, size_t n)
{
    const char *name = setting("SHOAL_LIBCUDA");
    if (!name)
        name = "libcuda.so.1";
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(why, n, "no CUDA driver library (%s); install NVIDIA's driver for the GPU",
                 dlerror());
        return 0;
    }
    const char *missing = cuda_resolve(library, api, cuda_symbols, COUNT_OF(cuda_symbols));
    api->graphs = !cuda_resolve(library, api, graph_symbols, COUNT_OF(graph_symbols));
    int version = 0;
    if (api->cuDriverGetVersion && api->cuDriverGetVersion(&version) == CUDA_SUCCESS) {
        api->major = version / 1000;
        api->minor = version % 1000 / 10;
    }
    if (missing || older_than_needed(api->major, api->minor)) {
        too_old("the NVIDIA driver", api->major, api->minor, missing, why, n);
        dlclose(library);
        return 0;
    }
    CUresult r = api->cuInit(0);
    if (r != CUDA_SUCCESS) {
        const char *error, *text;
        name_error(api, r, &error, &text);
        snprintf(why, n, "%s: cuInit says %s (%s)",
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

/* Where a library may be, and what was found there: what an error needs to say. */
struct search {
    const char *const *names; /* newest first */
    size_t count;
    void *library;
    char looked[3 * PATH_LENGTH]; /* places, separated by commas */
    char broken[PATH_LENGTH];     /* the loader's complaint about a library that is there */
};

/* In a folder, or with "" along the loader's path. */
static void search_folder(struct search *s, const char *folder)
{
    for (size_t k = 0; k < s->count && !s->library; k++) {
        char path[PATH_LENGTH + 32];
        snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", s->names[k]);
        s->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        const char *complaint = s->library ? NULL : dlerror();
        if (complaint && *folder && access(path, F_OK) == 0)
            snprintf(s->broken, sizeof s->broken, " (%s)", complaint);
    }
}

static int later_version(const void *a, const void *b)
{
    return strverscmp(*(char *const *)b, *(char *const *)a);
}

/* In all folders that match a pattern, of the newest toolkit first. */
static void search_folders(struct search *s, const char *pattern)
{
    glob_t found;
    size_t used = strlen(s->looked);
    if (s->library)
        return;
    snprintf(s->looked + used, sizeof s->looked - used, "%s%s", used ? ", " : "",
             *pattern ? pattern : "the loader's path");
    if (!*pattern)
        search_folder(s, "");
    else if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0) {
        qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, later_version);
        for (size_t k = 0; k < found.gl_pathc; k++)
            search_folder(s, found.gl_pathv[k]);
        globfree(&found);
    }
}

static void search_under(struct search *s, const char *root, const char *sub)
{
    char folder[PATH_LENGTH];
    if (snprintf(folder, sizeof folder, "%s%s", root, sub) < (int)sizeof folder)
        search_folders(s, folder);
}

/* Where the folders of a toolkit have its libraries. */
static void search_toolkit(struct search *s, const char *root)
{
    static const char *const sub[] = {"/lib64", "/lib", "/targets/*/lib", "/extras/CUPTI/lib64"};
    for (size_t k = 0; k < COUNT_OF(sub); k++)
        search_under(s, root, sub[k]);
}

/* Who sets SHOAL_CUDA means it: then nothing else is tried. */
static void search_everywhere(struct search *s)
{
    const char *chosen = setting("SHOAL_CUDA"), *home;
    if (chosen) {
        search_toolkit(s, chosen);
        search_under(s, chosen, "");
        return;
    }
    if (place_home(&home) == ERR_OK)
        search_under(s, home, "/build/cuda/lib");
    search_folders(s, "");
    search_toolkit(s, "/usr/local/cuda*");
}

void *cuda_open_library(const char *const *names, size_t count, char *looked, size_t n)
{
    struct search s = {.names = names, .count = count};
    search_everywhere(&s);
    if (!s.library)
        snprintf(looked, n, "%s%s", s.looked, s.broken);
    return s.library;
}

void cuda_library_path(void *library, char path[PATH_LENGTH])
{
    struct link_map *map;
    *path = 0;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0)
        snprintf(path, PATH_LENGTH, "%s", map->l_name);
}

/* NVRTC opens its "builtins" by bare name, which fails for a folder that the loader does not know:
 * unless it is open already. */
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
    void *library = cuda_open_library(names, COUNT_OF(names), looked, sizeof looked);
    if (!library) {
        snprintf(why, n,
                 "NVRTC, CUDA's run-time compiler, was not found in: %s; ./bootstrap --cuda "
                 "fetches it, or set SHOAL_CUDA to the folder of a CUDA toolkit",
                 looked);
        return 0;
    }
    const char *missing = cuda_resolve(library, api, nvrtc_symbols, COUNT_OF(nvrtc_symbols));
    if (api->nvrtcVersion && api->nvrtcVersion(&api->major, &api->minor) != NVRTC_SUCCESS)
        api->major = 0;
    cuda_library_path(library, api->path);
    if (missing || older_than_needed(api->major, api->minor)) {
        char what[PATH_LENGTH + 16];
        snprintf(what, sizeof what, "NVRTC (%s)", api->path);
        too_old(what, api->major, api->minor, missing, why, n);
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

/* After these every later call fails, too: a kernel broke the context. */
static int is_sticky(CUresult r)
{
    return r == CUDA_ERROR_ILLEGAL_ADDRESS || r == CUDA_ERROR_LAUNCH_TIMEOUT ||
           r == CUDA_ERROR_ASSERT ||
           (r >= CUDA_ERROR_HARDWARE_STACK_ERROR && r <= CUDA_ERROR_LAUNCH_FAILED);
}

/* The device itself, or the way to it. */
static int is_lost(CUresult r)
{
    return r == CUDA_ERROR_DEVICE_UNAVAILABLE || r == CUDA_ERROR_ECC_UNCORRECTABLE ||
           r == CUDA_ERROR_NVLINK_UNCORRECTABLE || r == CUDA_ERROR_CONTEXT_IS_DESTROYED ||
           r == CUDA_ERROR_UNKNOWN;
}

static const char *remedy(CUresult r)
{
    if (is_sticky(r))
        return "; a kernel failed, and this process cannot use the GPU any more";
    if (is_lost(r))
        return "; the GPU may be lost: nvidia-smi and the system's log tell its state, and "
               "--backend cpu does without it";
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

enum err nvrtc_check(nvrtcResult r, const char *call, const char *file, int line)
{
    if (r == NVRTC_SUCCESS)
        return ERR_OK;
    return err_set(ERR_MACHINE, file, line, "%.*s: %s (NVRTC %d.%d, %s)", (int)strcspn(call, "("),
                   call, nvrtc_api.nvrtcGetErrorString(r), nvrtc_api.major, nvrtc_api.minor,
                   nvrtc_api.path);
}
