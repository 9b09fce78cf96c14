/* A stand-in for NVIDIA's driver and NVRTC: the C compiler makes the kernels, the host runs their blocks in
 * turn, and device memory is the host's. It has what core/device/cuda_api.h asks for, graphs too. The
 * environment says what it pretends:
 *
 *     FAKE_DRIVER, FAKE_NVRTC   their versions of CUDA: 99.0
 *     FAKE_DEVICES              how many GPUs there are: 1
 *     FAKE_PEERS                none: they do not reach each other's memory
 *     FAKE_GROWS                no: its memory cannot be mapped into reserved addresses
 *     FAKE_MEMORY               of each, KiB: 8 GiB
 *     FAKE_ARCH                 the only architecture that this NVRTC knows: 90, the GPU's
 *     FAKE_FAULT                NUMBER CODE: every call of the driver from this one on, counted from 1,
 *                               fails with this error
 *     FAKE_CALL                 and only calls of this name are counted and fail
 *     FAKE_CALLS                a file that gets the number of calls in the end, and that of the last copy to the host
 *
 * Types are those of the interfaces as far as a call needs them: handles are pointers. */
#include <dlfcn.h>
#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/support/stand_in_memory.h"
#include "tests/support/stand_in_setting.h"
#include "tests/support/stand_in_stream.h"

enum {
    INVALID = 1,
    OUT_OF_MEMORY = 2,
    NOT_FOUND = 500,
    OUT_OF_HOST_MEMORY = 1,
    UNSUPPORTED = 900, /* while a stream is recorded */
    MOST_ARGS = 4096,
    MOST_ROWS = 65535, /* of blocks in a grid */
    GROWS = 102,
    GRAIN = 1 << 16,
    ARENA = 1 << 22
};

struct module {
    void *object;
    void (*block)(const void *args, int x, int y, void *arena);
};

static atomic_int calls, last_copy;

/* What a call returns before it does anything; 0: it does what it should. */
static int fault(const char *call)
{
    const char *name = setting("FAKE_CALL", call), *wanted = getenv("FAKE_FAULT");
    char *code;
    if (strncmp(call, name, strlen(name)) != 0)
        return 0;
    const int now = atomic_fetch_add(&calls, 1) + 1;
    if (strncmp(call, "cuMemcpyDtoH", strlen("cuMemcpyDtoH")) == 0)
        atomic_store(&last_copy, now);
    if (!wanted || now < strtol(wanted, &code, 10))
        return 0;
    return (int)strtol(code, NULL, 10);
}

__attribute__((destructor)) static void tell_calls(void)
{
    FILE *f = *setting("FAKE_CALLS", "") ? fopen(getenv("FAKE_CALLS"), "w") : NULL;
    if (f) {
        fprintf(f, "%d\n%d\n", atomic_load(&calls), atomic_load(&last_copy));
        fclose(f);
    }
}

#define CALL(name, parameters, ...)      \
    int name parameters;                 \
    int name parameters                  \
    {                                    \
        const int failed = fault(#name); \
        if (failed)                      \
            return failed;               \
        __VA_ARGS__;                     \
        return 0;                        \
    }

CALL(cuInit, (unsigned flags), (void)flags)
CALL(cuDeviceGetCount, (int *n), *n = (int)strtol(setting("FAKE_DEVICES", "1"), NULL, 10))
CALL(cuDeviceCanAccessPeer, (int *can, int device, int peer), (void)device, (void)peer,
     *can = strcmp(setting("FAKE_PEERS", "all"), "none") != 0)
CALL(cuCtxEnablePeerAccess, (void *peer, unsigned flags), (void)peer, (void)flags)
CALL(cuDeviceGet, (int *device, int n), *device = n)
CALL(cuDeviceGetName, (char *name, int n, int device), (void)device,
     snprintf(name, (size_t)n, "Stand-in"))
CALL(cuDeviceGetPCIBusId, (char *id, int n, int device),
     snprintf(id, (size_t)n, "0000:%02x:00.0", device))
/* Holders of each GPU's context, for tests in this process. */
static atomic_int holders[8];

int stand_in_holders(int device);
int stand_in_holders(int device)
{
    return atomic_load(&holders[device]);
}

CALL(cuDevicePrimaryCtxRetain, (void **c, int device), atomic_fetch_add(&holders[device], 1),
     *c = &calls)
CALL(cuDevicePrimaryCtxRelease_v2, (int device), atomic_fetch_sub(&holders[device], 1))
CALL(cuCtxSetCurrent, (void *c), (void)c)
CALL(cuMemGetInfo_v2, (size_t * left, size_t *all),
     *left = *all = strtoul(setting("FAKE_MEMORY", "8388608"), NULL, 10) << 10)
CALL(cuMemAlloc_v2, (void **p, size_t bytes), if (memory_take(p, bytes)) return OUT_OF_MEMORY)
CALL(cuMemFree_v2, (void *p), if (memory_give(p)) return INVALID)
CALL(cuMemGetAllocationGranularity, (size_t * grain, const void *p, int option), (void)p,
     (void)option, *grain = GRAIN)
/* A handle is its memory's size: the host provides it when it becomes accessible. */
CALL(cuMemCreate,
     (unsigned long long *handle, size_t bytes, const void *p, unsigned long long flags), (void)p,
     (void)flags, *handle = bytes)
CALL(cuMemRelease, (unsigned long long handle), (void)handle)

int cuMemAddressReserve(void **p, size_t bytes, size_t alignment, void *at,
                        unsigned long long flags);
int cuMemAddressReserve(void **p, size_t bytes, size_t alignment, void *at,
                        unsigned long long flags)
{
    const int failed = fault("cuMemAddressReserve");
    (void)alignment, (void)at, (void)flags;
    if (failed)
        return failed;
    *p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return *p == MAP_FAILED ? NOT_FOUND : 0;
}
CALL(cuMemAddressFree, (void *p, size_t bytes), munmap(p, bytes))

int cuMemMap(char *p, size_t bytes, size_t offset, unsigned long long handle,
             unsigned long long flags);
int cuMemMap(char *p, size_t bytes, size_t offset, unsigned long long handle,
             unsigned long long flags)
{
    const int failed = fault("cuMemMap");
    (void)p, (void)flags;
    return failed ? failed : bytes % GRAIN || offset || handle != bytes ? NOT_FOUND : 0;
}
CALL(cuMemSetAccess, (char *p, size_t bytes, const void *access, size_t n), (void)access, (void)n,
     mprotect(p, bytes, PROT_READ | PROT_WRITE))
CALL(cuMemUnmap, (char *p, size_t bytes), mprotect(p, bytes, PROT_NONE))
CALL(cuMemHostAlloc, (void **p, size_t bytes, unsigned flags), (void)flags, *p = malloc(bytes))
CALL(cuMemFreeHost, (void *p), free(p))

struct stretch {
    char *to;
    const char *from; /* null: filled with `byte` */
    unsigned char byte;
    size_t bytes;
};

static void move(void *data)
{
    const struct stretch *w = data;
    if (w->from)
        memmove(w->to, w->from, w->bytes);
    else
        memset(w->to, w->byte, w->bytes);
}

#define ENQUEUE(s, run, data)                               \
    if (stream_enqueue(s, run, &(data), sizeof(data)) != 0) \
    return OUT_OF_HOST_MEMORY
#define COPY ENQUEUE(s, move, ((struct stretch){to, from, 0, bytes}))
#define NOT_RECORDED       \
    if (stream_records(s)) \
    return UNSUPPORTED

CALL(cuMemsetD8Async, (void *to, unsigned char byte, size_t bytes, struct stand_in_stream *s),
     ENQUEUE(s, move, ((struct stretch){to, NULL, byte, bytes})))
CALL(cuMemcpyHtoDAsync_v2, (void *to, const void *from, size_t bytes, struct stand_in_stream *s),
     NOT_RECORDED;
     COPY)
CALL(cuMemcpyDtoHAsync_v2, (void *to, const void *from, size_t bytes, struct stand_in_stream *s),
     NOT_RECORDED;
     COPY)
CALL(cuMemcpyDtoDAsync_v2, (void *to, const void *from, size_t bytes, struct stand_in_stream *s),
     COPY)
CALL(cuStreamCreate, (struct stand_in_stream * *s, unsigned flags), (void)flags,
     *s = calloc(1, sizeof **s))
CALL(cuStreamSynchronize, (struct stand_in_stream * s), NOT_RECORDED)
CALL(cuStreamDestroy_v2, (struct stand_in_stream * s), capture_drop(s->capture); free(s))

/* An event is a stream that records what the other one did when it was recorded. */
CALL(cuStreamWaitEvent, (struct stand_in_stream * s, struct stand_in_stream *event, unsigned flags),
     (void)flags;
     if (stream_records(event)) capture_take(&s->capture, event->capture))
CALL(cuEventCreate, (struct stand_in_stream * *event, unsigned flags), (void)flags,
     *event = calloc(1, sizeof **event))
CALL(cuEventRecord, (struct stand_in_stream * event, struct stand_in_stream *s),
     capture_take(&event->capture, stream_records(s) ? s->capture : NULL))
CALL(cuEventSynchronize, (struct stand_in_stream * s), NOT_RECORDED)
CALL(cuEventElapsedTime, (float *ms, void *from, void *to), (void)from, (void)to, *ms = 1)
CALL(cuEventDestroy_v2, (struct stand_in_stream * event), capture_drop(event->capture); free(event))

static struct capture *begin_capture(void)
{
    struct capture *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->last = &c->first;
    pthread_mutex_init(&c->lock, NULL);
    return c;
}

static void play(const struct capture *c)
{
    for (struct kept_work *w = c->first; w; w = w->next)
        w->run(w->data);
}

CALL(cuStreamBeginCapture_v2, (struct stand_in_stream * s, int mode), (void)mode;
     capture_take(&s->capture, begin_capture()))
CALL(cuStreamEndCapture, (struct stand_in_stream * s, struct capture **graph),
     s->capture->ended = 1;
     *graph = NULL; capture_take(graph, s->capture))
CALL(cuGraphInstantiateWithFlags,
     (struct capture * *exec, struct capture *graph, unsigned long long flags), (void)flags;
     *exec = NULL; capture_take(exec, graph))
CALL(cuGraphLaunch, (struct capture * exec, struct stand_in_stream *s), NOT_RECORDED; play(exec))
CALL(cuGraphExecDestroy, (struct capture * exec), capture_drop(exec))
CALL(cuGraphDestroy, (struct capture * graph), capture_drop(graph))
CALL(cuFuncGetAttribute, (int *value, int a, void *f), (void)a, (void)f, *value = 0)
CALL(cuFuncSetAttribute, (void *f, int a, int value), (void)f, (void)a, (void)value)
CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor,
     (int *blocks, void *f, int threads, size_t shared), (void)f, (void)threads, (void)shared,
     *blocks = 1)

CALL(cuDriverGetVersion, (int *number), *number = setting_version("FAKE_DRIVER"))

/* Attributes by their numbers in core/device/cuda_api.h. */
static int attribute(int a)
{
    static const int known[][2] = {{1, 1024}, {10, 32}, {16, 4},       {39, 2048},
                                   {75, 9},   {76, 0},  {97, 1 << 20}, {0, 0}};
    if (a == GROWS)
        return strcmp(setting("FAKE_GROWS", "yes"), "no") != 0;
    for (int k = 0; known[k][0]; k++)
        if (known[k][0] == a)
            return known[k][1];
    return 0;
}

CALL(cuDeviceGetAttribute, (int *value, int a, int device), (void)device, *value = attribute(a))

static int words(int code, const char **text, int name)
{
    static const struct {
        int code;
        const char *name, *text;
    } known[] = {
        {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
        {46, "CUDA_ERROR_DEVICE_UNAVAILABLE", "CUDA-capable device(s) is/are busy"},
        {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
        {214, "CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered"},
        {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
        {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
        {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "system has unsupported display driver"},
        {999, "CUDA_ERROR_UNKNOWN", "unknown error"}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (known[k].code == code) {
            *text = name ? known[k].name : known[k].text;
            return 0;
        }
    *text = NULL;
    return 1;
}

int cuGetErrorName(int code, const char **text);
int cuGetErrorName(int code, const char **text)
{
    return words(code, text, 1);
}

int cuGetErrorString(int code, const char **text);
int cuGetErrorString(int code, const char **text)
{
    return words(code, text, 0);
}

static int load(struct module **m, const char *path)
{
    char whole
        [4096]; /* the linker takes what has one name for one object, and descriptors are used again */
    *m = calloc(1, sizeof **m);
    if (!*m)
        return 2;
    (*m)->object = realpath(path, whole) ? dlopen(whole, RTLD_NOW | RTLD_LOCAL) : NULL;
    void *block = (*m)->object ? dlsym((*m)->object, "shoal_block") : NULL;
    memcpy((void *)&(*m)->block, &block, sizeof block);
    if (block)
        return 0;
    free(*m);
    *m = NULL;
    return NOT_FOUND;
}

int cuModuleLoad(struct module **m, const char *path);
int cuModuleLoad(struct module **m, const char *path)
{
    const int failed = fault("cuModuleLoad");
    return failed ? failed : load(m, path);
}

CALL(cuModuleGetFunction, (struct module * *f, struct module *m, const char *name), (void)name,
     *f = m)
CALL(cuModuleGetGlobal_v2, (void **p, size_t *bytes, struct module *m, const char *name),
     *p = dlsym(m->object, name), *bytes = 2 * sizeof(unsigned))

int cuModuleUnload(struct module *m);
int cuModuleUnload(struct module *m)
{
    dlclose(m->object);
    free(m);
    return fault("cuModuleUnload");
}

struct launch {
    const struct module *f;
    int gx, gy;
    _Alignas(16) char args[MOST_ARGS];
};

static void launch(void *data)
{
    const struct launch *l = data;
    char *arena = aligned_alloc(64, ARENA);
    for (int y = 0; y < l->gy; y++)
        for (int x = 0; arena && x < l->gx; x++)
            l->f->block(l->args, x, y, arena);
    free(arena);
}

static int enqueue_launch(struct stand_in_stream *s, const struct module *f, unsigned gx,
                          unsigned gy, const void *args)
{
    struct launch l = {.f = f, .gx = (int)gx, .gy = (int)gy};
    const unsigned *sizes = dlsym(f->object, "shoal_sizes");
    if (!sizes || sizes[1] > MOST_ARGS)
        return NOT_FOUND;
    memcpy(l.args, args, sizes[1]);
    ENQUEUE(s, launch, l);
    return 0;
}

CALL(cuLaunchKernel,
     (struct module * f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
      unsigned bz, unsigned shared, struct stand_in_stream *s, void **args, void **extra),
     (void)gz;
     (void)bx; (void)by; (void)bz; (void)shared; (void)extra;
     if (gx > INT_MAX || gy > MOST_ROWS) return INVALID;
     if (enqueue_launch(s, f, gx, gy, args[0])) return NOT_FOUND)
