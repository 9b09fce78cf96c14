#include "core/device/cpu_object.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/compile/cache.h"

/* The linker takes an object for an already opened one of the same name, and descriptors are
 * reused: so each name is spelled differently, by a count in binary, "./" for 1 and "/" for 0. */
static void *open_object(int fd)
{
    static atomic_uint opened;
    char name[128] = "/proc/self/fd/";
    size_t n = strlen(name);
    for (unsigned count = atomic_fetch_add(&opened, 1); count; count /= 2)
        n += (size_t)snprintf(name + n, sizeof name - n, count % 2 ? "./" : "/");
    snprintf(name + n, sizeof name - n, "%d", fd);
    return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

enum err cpu_object_open(struct cpu_object *o, const char *path, int by_threads)
{
    int fd;
    TRY(cache_open(path, &fd));
    if (fd < 0)
        return ERR_OK;
    o->opened = open_object(fd);
    close(fd);
    if (!o->opened)
        FAIL(MACHINE,
             "cannot load the compiled kernel %s: %s: free some memory ('ulimit -v' shows the "
             "limit), or set SHOAL_CACHE to a folder whose file system allows execution",
             path, dlerror());
    const unsigned *sizes = dlsym(o->opened, "shoal_sizes");
    *(void **)&o->block = dlsym(o->opened, "shoal_block");
    *(void **)&o->thread = dlsym(o->opened, "shoal_thread");
    if (sizes && (by_threads ? o->thread != NULL : o->block != NULL)) {
        o->arena_bytes = sizes[0];
        o->args_bytes = sizes[1];
        return ERR_OK;
    }
    cpu_object_close(o);
    return ERR_OK;
}

void cpu_object_close(struct cpu_object *o)
{
    if (o->opened)
        dlclose(o->opened);
    o->opened = NULL;
}
