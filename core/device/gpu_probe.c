/* Looks for a GPU in a child process. */
#include "core/device/gpu_probe.h"

#include <stdio.h>

#include "core/base/forked_child.h"
#include "core/base/log.h"

static int look_at_gpu(void *context)
{
    struct gpu *g = context;
    struct device_options o = {.device = g->device};
    struct device *dev = NULL;
    g->here = backend_cuda.available(g->device, g->why, sizeof g->why);
    if (!g->here || backend_cuda.open(&dev, &o))
        return 0;
    const struct device_info *i = backend_cuda.info(dev);
    g->info = *i;
    snprintf(g->name, sizeof g->name, "%s (%s), driver %s, kernels by %s", i->name, i->target,
             i->driver, i->compiler);
    backend_cuda.close(dev);
    return 0;
}

enum err gpu_find(int device, struct gpu *found)
{
    struct gpu *g = forked_child_share(sizeof *g);
    if (!g)
        FAIL(MEMORY, "no shared memory for asking about a GPU");
    g->device = device;
    if (forked_child_ask(look_at_gpu, g) < 0)
        snprintf(g->why, sizeof g->why, "the search for one crashed");
    *found = *g;
    forked_child_unshare(g, sizeof *g);
    return ERR_OK;
}

enum err gpu_spared(int device, const char *why)
{
    if (device > 0)
        FAIL(ABSENT, "--device %d: %s; to use the CPU, omit --device or add --backend cpu", device,
             why);
    return ERR_OK;
}

enum err gpu_or_cpu(int which, int device, enum backend_kind *backend)
{
    struct gpu g;
    *backend = CPU;
    if (which == CPU)
        return ERR_OK;
    TRY(gpu_find(device, &g));
    if (which == CUDA && !g.here)
        FAIL(ABSENT, "backend cuda: %s", g.why);
    if (g.here) {
        *backend = CUDA;
        return ERR_OK;
    }
    TRY(gpu_spared(device, g.why));
    log_info("backend cpu: %s", g.why);
    return ERR_OK;
}
