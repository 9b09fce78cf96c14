/* The cuda backend: kernels on an NVIDIA GPU through the driver API. */
#include "core/device/backend.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/compile/cache.h"
#include "core/device/cuda_device.h"
#include "core/device/cuda_usable.h"
#include "core/compile/nvrtc.h"
#include "core/base/paths.h"
#include "core/compile/recipe.h"

struct loaded {
    CUmodule module;
    CUfunction function;
    unsigned arena; /* bytes of dynamic shared memory */
    unsigned args_bytes;
    struct block block;
    struct block shape; /* of its threads */
    const char *name;   /* of the function */
    char what[256];     /* the recipe, for messages */
};

static CUdeviceptr address(const void *p)
{
    return (CUdeviceptr)(uintptr_t)p;
}

static enum err describe(struct device *dev)
{
    struct device_info *info = &dev->info;
    TRY(CU(cuDeviceGetName(info->name, sizeof info->name, dev->id)));
    TRY(CU(cuDeviceGetAttribute(&info->units, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, dev->id)));
    TRY(CU(cuDeviceGetAttribute(&dev->thread_limit, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                                dev->id)));
    TRY(CU(cuDeviceGetAttribute(&dev->shared_limit,
                                CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, dev->id)));
    TRY(CU(cuDeviceGetAttribute(&dev->warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, dev->id)));
    TRY(CU(cuDeviceGetAttribute(&dev->resident_threads,
                                CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, dev->id)));
    info->warps = info->units * (dev->resident_threads / dev->warp);
    TRY(CU(cuMemGetInfo(&info->memory_free, &info->memory)));
    snprintf(info->target, sizeof info->target, "sm_%d", nvrtc_target(cuda_capability(dev->id)));
    nvrtc_name(info->compiler, sizeof info->compiler);
    snprintf(info->driver, sizeof info->driver, "%d.%d", cuda_api.major, cuda_api.minor);
    info->graphs = cuda_api.graphs;
    if (cuda_api.cuDeviceGetPCIBusId(info->bus, sizeof info->bus, dev->id) != CUDA_SUCCESS)
        info->bus[0] = 0;
    return ERR_OK;
}

static enum err create_ring(struct device *dev)
{
    void *p;
    TRY(CU(cuMemHostAlloc(&p, (size_t)PEEKS * PEEK_BYTES, 0)));
    dev->pinned = p;
    for (int k = 0; k < PEEKS; k++) {
        dev->ring[k].data = dev->pinned + (size_t)k * PEEK_BYTES;
        TRY(CU(cuEventCreate(&dev->ring[k].arrived, CU_EVENT_DISABLE_TIMING)));
    }
    for (int k = 0; k < MARKS; k++)
        TRY(CU(cuEventCreate(&dev->mark[k], CU_EVENT_DEFAULT)));
    for (int k = 0; k < FETCHES; k++)
        TRY(CU(cuEventCreate(&dev->fetch[k], CU_EVENT_DISABLE_TIMING)));
    for (int k = 0; k < SIGNALS; k++)
        TRY(CU(cuEventCreate(&dev->signal[k], CU_EVENT_DISABLE_TIMING)));
    return ERR_OK;
}

static void destroy_event(CUevent event)
{
    if (event)
        cuda_api.cuEventDestroy(event);
}

/* Failures here have no remedy: a broken context refuses to release what it held. */
static void close_device(struct device *dev)
{
    if (!dev)
        return;
    if (dev->context) {
        cuda_api.cuCtxSetCurrent(dev->context);
        if (!dev->stream || cuda_api.cuStreamSynchronize(dev->stream) != CUDA_SUCCESS)
            cuda_drop_context(dev->id);
        for (int k = 0; k < PEEKS; k++)
            destroy_event(dev->ring[k].arrived);
        for (int k = 0; k < MARKS; k++)
            destroy_event(dev->mark[k]);
        for (int k = 0; k < FETCHES; k++)
            destroy_event(dev->fetch[k]);
        for (int k = 0; k < SIGNALS; k++)
            destroy_event(dev->signal[k]);
        if (dev->pinned)
            cuda_api.cuMemFreeHost(dev->pinned);
        if (dev->stream)
            cuda_api.cuStreamDestroy(dev->stream);
        cuda_api.cuCtxSetCurrent(NULL);
        cuda_api.cuDevicePrimaryCtxRelease(dev->id);
    }
    free(dev);
}

static enum err open_device(struct device **dev, const struct device_options *o)
{
    enum err e;
    char why[2 * PATH_LENGTH];
    *dev = NULL;
    if (!cuda_usable(o->device, why, sizeof why))
        FAIL(ABSENT, "--backend cuda: %s", why);
    struct device *new = calloc(1, sizeof *new);
    if (!new)
        FAIL(MEMORY, "no memory for a device's description");
    TRY_OUT(CU(cuDeviceGet(&new->id, o->device)));
    TRY_OUT(CU(cuDevicePrimaryCtxRetain(&new->context, new->id)));
    TRY_OUT(enter(new));
    TRY_OUT(CU(cuStreamCreate(&new->stream, CU_STREAM_NON_BLOCKING)));
    TRY_OUT(create_ring(new));
    TRY_OUT(describe(new));
    cuda_keep_context(new->id);
    *dev = new;
    return ERR_OK;
out:
    close_device(new);
    return e;
}

static const struct device_info *info(const struct device *dev)
{
    return &dev->info;
}

static enum err compile(const struct device *dev, const struct recipe *r, char *path)
{
    return nvrtc_compile(r, dev->info.target, path);
}

static size_t args_bytes(const struct loaded *k)
{
    return k->args_bytes;
}

static void unload(struct device *dev, struct loaded *k)
{
    if (!k)
        return;
    if (k->module && cuda_api.cuCtxSetCurrent(dev->context) == CUDA_SUCCESS)
        cuda_api.cuModuleUnload(k->module);
    free(k);
}

/* The module stores its shared memory and the length of its argument in variables. */
static enum err read_sizes(struct device *dev, struct loaded *k)
{
    CUdeviceptr p;
    size_t bytes;
    unsigned sizes[2];
    TRY(CU(cuModuleGetGlobal(&p, &bytes, k->module, "shoal_sizes")));
    TRY(CU(cuMemcpyDtoHAsync(sizes, p, sizeof sizes, dev->stream)));
    TRY(CU(cuStreamSynchronize(dev->stream)));
    k->arena = sizes[0];
    k->args_bytes = sizes[1];
    return ERR_OK;
}

static enum err check_limits(const struct device *dev, const struct loaded *k)
{
    int fixed, threads = k->shape.w * k->shape.h;
    TRY(CU(cuFuncGetAttribute(&fixed, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, k->function)));
    size_t need = (size_t)fixed + k->arena;
    if (need > (size_t)dev->shared_limit)
        FAIL(LIMIT,
             "a block of %dx%d needs %zu bytes of shared memory, and %s allows %d; choose a "
             "smaller block with --block",
             k->block.w, k->block.h, need, dev->info.name, dev->shared_limit);
    if (threads > dev->thread_limit)
        FAIL(LIMIT,
             "a block of %dx%d has %d threads, and %s allows %d; choose a smaller block "
             "with --block",
             k->block.w, k->block.h, threads, dev->info.name, dev->thread_limit);
    return ERR_OK;
}

/* Opens a cache entry that is intact and as expected. */
static enum err open_kernel(struct device *dev, struct loaded *k, const char *path)
{
    enum err e;
    char name[64];
    int fd;
    TRY(cache_open(path, &fd));
    if (fd < 0)
        FAIL(MACHINE, "it is damaged: set SHOAL_CACHE to another folder");
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    TRY_OUT(CU(cuModuleLoad(&k->module, name)));
    TRY_OUT(CU(cuModuleGetFunction(&k->function, k->module, k->name)));
    TRY_OUT(read_sizes(dev, k));
out:
    close(fd);
    if (e && k->module) {
        cuda_api.cuModuleUnload(k->module);
        k->module = NULL;
    }
    return e;
}

static enum err load(struct device *dev, const struct recipe *r, const char *path,
                     struct loaded **k)
{
    enum err e;
    char again[PATH_LENGTH];
    *k = NULL;
    struct loaded *new = calloc(1, sizeof *new);
    if (!new)
        FAIL(MEMORY, "no memory for a kernel's description");
    new->block = r->block;
    new->name = r->kernel->name;
    new->shape = r->kernel->threads || r->kernel->strip
                     ? (struct block){block_threads(r->kernel, r->block), 1}
                     : r->block;
    recipe_describe(r, new->what, sizeof new->what);
    TRY_OUT(enter(dev));
    /* Another process may have pruned the cache since, or the file has changed: try again. */
    if (open_kernel(dev, new, path)) {
        unlink(path);
        TRY_OUT(compile(dev, r, again));
        path = again;
        TRY_OUT(open_kernel(dev, new, path));
    }
    TRY_OUT(check_limits(dev, new));
    TRY_OUT(CU(cuFuncSetAttribute(new->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                  (int)new->arena)));
    *k = new;
    return ERR_OK;
out:
    if (e == ERR_LIMIT)
        err_context("%s", new->what);
    else
        err_context("loading %s (%s)", new->what, path);
    unload(dev, new);
    return e;
}

static enum err facts(struct device *dev, const struct loaded *k, struct kernel_facts *f)
{
    const int threads = k->shape.w * k->shape.h;
    int registers = 0, fixed = 0, local = 0, blocks = 0;
    TRY(enter(dev));
    TRY(CU(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, k->function)));
    TRY(CU(cuFuncGetAttribute(&fixed, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, k->function)));
    TRY(CU(cuFuncGetAttribute(&local, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, k->function)));
    TRY(CU(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k->function, threads, k->arena)));
    const int taken = (threads + dev->warp - 1) / dev->warp * dev->warp;
    *f = (struct kernel_facts){
        .registers = registers,
        .shared_b = (double)fixed + k->arena,
        .spill_b = local,
        .occupancy = (double)(blocks * taken) / (double)dev->resident_threads,
    };
    return ERR_OK;
}

enum err cuda_out_of_memory(size_t bytes)
{
    const double mib = 1024.0 * 1024.0;
    size_t left = 0, total = 0;
    TRY(CU(cuMemGetInfo(&left, &total)));
    FAIL(MEMORY,
         "out of GPU memory: needs %.1f MiB, but %.1f MiB of %.1f MiB are free; use a smaller "
         "grid, --precision f32, or a GPU that nobody else uses",
         (double)bytes / mib, (double)left / mib, (double)total / mib);
}

static enum err alloc(struct device *dev, size_t bytes, void **p)
{
    CUdeviceptr d = 0;
    *p = NULL;
    TRY(enter(dev));
    CUresult r = cuda_api.cuMemAlloc(&d, bytes ? bytes : 1);
    if (r == CUDA_ERROR_OUT_OF_MEMORY)
        return cuda_out_of_memory(bytes);
    TRY(cuda_check(r, "cuMemAlloc", __FILE__, __LINE__));
    *p = (void *)(uintptr_t)d;
    return ERR_OK;
}

static void release(struct device *dev, void *p)
{
    if (p && cuda_api.cuCtxSetCurrent(dev->context) == CUDA_SUCCESS &&
        !cuda_release_growing(dev, p))
        cuda_api.cuMemFree(address(p));
}

static enum err fill_bytes(struct device *dev, void *p, int byte, size_t bytes)
{
    TRY(enter(dev));
    return CU(cuMemsetD8Async(address(p), (unsigned char)byte, bytes, dev->stream));
}

/* Both copies wait, so the caller may reuse the host's memory when they return. */
static enum err upload(struct device *dev, void *to, const void *from, size_t bytes)
{
    TRY(enter(dev));
    TRY(CU(cuMemcpyHtoDAsync(address(to), from, bytes, dev->stream)));
    return CU(cuStreamSynchronize(dev->stream));
}

static enum err download(struct device *dev, void *to, const void *from, size_t bytes)
{
    TRY(enter(dev));
    TRY(CU(cuMemcpyDtoHAsync(to, address(from), bytes, dev->stream)));
    return CU(cuStreamSynchronize(dev->stream));
}

static enum err copy(struct device *dev, void *to, const void *from, size_t bytes)
{
    TRY(enter(dev));
    return CU(cuMemcpyDtoDAsync(address(to), address(from), bytes, dev->stream));
}

/* The driver copies `args` before it returns. */
static enum err launch(struct device *dev, struct loaded *k, int gx, int gy, const void *args,
                       size_t bytes)
{
    if (bytes != k->args_bytes)
        FAIL(KERNEL, ARGS_DIFFER, k->what, k->args_bytes, bytes);
    void *parameters[] = {(void *)(uintptr_t)args};
    TRY(enter(dev));
    enum err e =
        CU(cuLaunchKernel(k->function, (unsigned)gx, (unsigned)gy, 1, (unsigned)k->shape.w,
                          (unsigned)k->shape.h, 1, k->arena, dev->stream, parameters, NULL));
    if (e)
        err_context("launching %s, blocks of %dx%d threads, grid of %dx%d blocks", k->what,
                    k->block.w, k->block.h, gx, gy);
    return e;
}

static enum err peek(struct device *dev, const void *from, size_t bytes)
{
    if (bytes > PEEK_BYTES || dev->under_way == PEEKS)
        FAIL(MACHINE,
             "peek of %zu bytes with %d pending copies: expected at most %d bytes and %d copies",
             bytes, dev->under_way, PEEK_BYTES, PEEKS);
    struct slot *s = &dev->ring[(dev->oldest + dev->under_way) % PEEKS];
    TRY(enter(dev));
    TRY(CU(cuMemcpyDtoHAsync(s->data, address(from), bytes, dev->stream)));
    TRY(CU(cuEventRecord(s->arrived, dev->stream)));
    s->bytes = bytes;
    dev->under_way++;
    return ERR_OK;
}

static enum err wait_for_peek(struct device *dev, void *to, size_t bytes)
{
    struct slot *s = &dev->ring[dev->oldest];
    if (dev->under_way == 0)
        FAIL(MACHINE, "no pending copy");
    if (bytes > s->bytes)
        FAIL(MACHINE, "wait for %zu bytes, but the copy has %zu", bytes, s->bytes);
    TRY(enter(dev));
    TRY(CU(cuEventSynchronize(s->arrived)));
    memcpy(to, s->data, bytes);
    dev->oldest = (dev->oldest + 1) % PEEKS;
    dev->under_way--;
    return ERR_OK;
}

static enum err sync_device(struct device *dev)
{
    TRY(enter(dev));
    return CU(cuStreamSynchronize(dev->stream));
}

static enum err mark(struct device *dev, int number)
{
    TRY(enter(dev));
    return CU(cuEventRecord(dev->mark[number], dev->stream));
}

static enum err between(struct device *dev, int from, int to, double *seconds)
{
    float milliseconds = 0;
    TRY(enter(dev));
    TRY(CU(cuEventSynchronize(dev->mark[to])));
    TRY(CU(cuEventElapsedTime(&milliseconds, dev->mark[from], dev->mark[to])));
    *seconds = 1e-3 * (double)milliseconds;
    return ERR_OK;
}

const struct backend backend_cuda = {
    .name = "cuda",
    .available = cuda_usable,
    .open = open_device,
    .close = close_device,
    .info = info,
    .compile = compile,
    .load = load,
    .unload = unload,
    .args_bytes = args_bytes,
    .facts = facts,
    .alloc = alloc,
    .release = release,
    .reserve = cuda_reserve,
    .grow = cuda_grow,
    .fill = fill_bytes,
    .upload = upload,
    .download = download,
    .copy = copy,
    .host_alloc = cuda_host_alloc,
    .host_release = cuda_host_release,
    .fetch = cuda_fetch,
    .fetched = cuda_fetched,
    .launch = launch,
    .peek = peek,
    .wait = wait_for_peek,
    .sync = sync_device,
    .mark = mark,
    .between = between,
    .reaches = cuda_reaches,
    .lend = cuda_lend,
    .borrow = cuda_borrow,
    .give_back = cuda_give_back,
    .signal = cuda_signal,
    .await = cuda_await,
    .record_begin = cuda_record_begin,
    .record_end = cuda_record_end,
    .replay = cuda_replay,
    .graph_free = cuda_graph_free,
};
