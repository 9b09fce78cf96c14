/* The CPU backend: kernels are shared objects made by the C compiler; OpenMP runs their blocks. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/device/backend.h"
#include "core/compile/c_compiler.h"
#include "core/device/block_threads.h"
#include "core/device/cpu_memory.h"
#include "core/device/cpu_object.h"
#include "core/base/memory.h"
#include "core/base/paths.h"
#include "core/compile/recipe.h"
#include "core/base/monotonic_time.h"
#include "kernels/host_args.h"

enum { WORTH_SHARING = 30000 }; /* cells */
enum { PEEKS = 8, PEEK_BYTES = 4096, LINE = 64 };

struct device {
    struct device_options options;
    struct device_info info;
    char version[128], target[8192]; /* of the compiler and the processor, for the cache's key */
    int threads;
    size_t arena_bytes;
    char **arena;                 /* [threads], each arena_bytes */
    struct block_threads **fibre; /* [threads], in the debug orders */
    char peek[PEEKS][PEEK_BYTES];
    unsigned long peeked, waited, allocated;
    double mark[MARKS]; /* s */
};

struct loaded {
    struct cpu_object object;
    struct recipe recipe;
};

static int available(int device, char *why, size_t n)
{
    (void)device;
    snprintf(why, n, "always");
    return 1;
}

/* The x86-64 level of a processor with these feature flags, as compilers call it. */
static const char *level(const char *flags)
{
    if (!strstr(flags, " sse2 "))
        return "not x86-64";
    if (strstr(flags, " avx512f ") && strstr(flags, " avx512bw ") && strstr(flags, " avx512vl "))
        return "x86-64-v4";
    return strstr(flags, " avx2 ") && strstr(flags, " fma ") ? "x86-64-v3" : "x86-64";
}

static void describe(struct device *dev)
{
    char line[512];
    struct device_info *i = &dev->info;
    FILE *f = fopen("/proc/cpuinfo", "r");
    snprintf(i->name, sizeof i->name, "CPU");
    while (f && fgets(line, sizeof line, f)) {
        char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && value) {
            value[strcspn(value, "\n")] = '\0';
            snprintf(i->name, sizeof i->name, "%s", value + 2);
            break;
        }
    }
    if (f)
        fclose(f);
    snprintf(i->compiler, sizeof i->compiler, "%s", dev->version);
    const int native = strcmp(dev->options.march, "native") == 0;
    const char *const march = native ? level(dev->target) : dev->options.march;
    snprintf(i->target, sizeof i->target, "%s%s", native ? "native: " : "", march);
    i->no_fma = strcmp(march, "x86-64") == 0 || strcmp(march, "x86-64-v2") == 0;
    i->memory = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    i->memory_free = memory_available();
    i->units = dev->threads;
}

static void close_device(struct device *dev)
{
    if (!dev)
        return;
    for (int k = 0; dev->arena && k < dev->threads; k++)
        free(dev->arena[k]);
    for (int k = 0; dev->fibre && k < dev->threads; k++)
        block_threads_destroy(dev->fibre[k]);
    free(dev->arena);
    free(dev->fibre);
    free(dev);
}

static enum err open_device(struct device **out, const struct device_options *o)
{
    enum err e = ERR_OK;
    struct device *dev = calloc(1, sizeof *dev);
    if (!dev)
        FAIL(MEMORY, "no memory for the CPU backend");
    dev->options = *o;
    dev->threads = o->threads > 0 ? o->threads : omp_get_num_procs();
    dev->arena = calloc((size_t)dev->threads, sizeof(char *));
    dev->fibre = calloc((size_t)dev->threads, sizeof(struct block_threads *));
    if (!dev->arena || !dev->fibre) {
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for %d threads", dev->threads);
        goto out;
    }
    TRY_OUT(cc_version(dev->version, sizeof dev->version));
    TRY_OUT(cc_target(o->march, dev->target, sizeof dev->target));
    describe(dev);
    *out = dev;
    return ERR_OK;
out:
    close_device(dev);
    return e;
}

static const struct device_info *info(const struct device *dev)
{
    return &dev->info;
}

static enum err compile(const struct device *dev, const struct recipe *r, char *path)
{
    return cc_compile(r, dev->options.march, dev->version, dev->target, path);
}

/* Memory for the tiles of every thread, large enough for the largest kernel. */
static enum err grow_arenas(struct device *dev, size_t bytes)
{
    if (bytes <= dev->arena_bytes)
        return ERR_OK;
    bytes = (bytes + LINE - 1) / LINE * LINE;
    for (int k = 0; k < dev->threads; k++) {
        free(dev->arena[k]);
        dev->arena[k] = aligned_alloc(LINE, bytes);
        if (!dev->arena[k])
            FAIL(MEMORY, "no memory for tiles: %d threads need %zu bytes each", dev->threads,
                 bytes);
    }
    dev->arena_bytes = bytes;
    return ERR_OK;
}

static enum err make_fibres(struct device *dev)
{
    for (int k = 0; dev->options.order && k < dev->threads; k++)
        if (!dev->fibre[k])
            TRY(block_threads_create(&dev->fibre[k], 1024));
    return ERR_OK;
}

static size_t args_bytes(const struct loaded *k)
{
    return k->object.args_bytes;
}

static void unload(struct device *dev, struct loaded *k)
{
    (void)dev;
    if (!k)
        return;
    cpu_object_close(&k->object);
    free(k);
}

static enum err load(struct device *dev, const struct recipe *r, const char *path,
                     struct loaded **out)
{
    enum err e = ERR_OK;
    char again[PATH_LENGTH];
    struct loaded *k = calloc(1, sizeof *k);
    if (!k)
        FAIL(MEMORY, "no memory for a kernel");
    k->recipe = *r;
    TRY_OUT(cpu_object_open(&k->object, path, r->order));
    if (!k->object.opened) { /* the cache was cleaned since, or the file has changed */
        unlink(path);
        TRY_OUT(compile(dev, r, again));
        TRY_OUT(cpu_object_open(&k->object, again, r->order));
    }
    if (!k->object.opened) {
        e = err_set(
            ERR_MACHINE, __FILE__, __LINE__,
            "the compiled kernel %s is damaged: set SHOAL_CACHE to a folder on another disk",
            again);
        goto out;
    }
    TRY_OUT(grow_arenas(dev, k->object.arena_bytes));
    TRY_OUT(make_fibres(dev));
    *out = k;
    return ERR_OK;
out:
    unload(dev, k);
    return e;
}

static enum err facts(struct device *dev, const struct loaded *k, struct kernel_facts *f)
{
    const double unknown = (double)NAN;
    (void)dev, (void)k;
    *f = (struct kernel_facts){unknown, unknown, unknown, unknown};
    return ERR_OK;
}

static enum err alloc(struct device *dev, size_t bytes, void **p)
{
    return cpu_memory(dev->allocated++, bytes, p);
}

static enum err reserve(struct device *dev, size_t bytes, size_t most, void **p)
{
    return cpu_memory_reserve(dev->allocated++, bytes, most, p);
}

static enum err grow(struct device *dev, void *p, size_t bytes)
{
    (void)dev;
    return cpu_memory_grow(p, bytes);
}

static void release(struct device *dev, void *p)
{
    (void)dev;
    cpu_memory_release(p);
}

/* The thread that touches a page first places it nearest to itself: touch it by the threads that
 * will use it. */
static enum err fill_bytes(struct device *dev, void *p, int byte, size_t bytes)
{
    const size_t chunk = 1 << 20;
#pragma omp parallel for schedule(static) num_threads(dev->threads) if (bytes > chunk)
    for (size_t k = 0; k < bytes; k += chunk)
        memset((char *)p + k, byte, bytes - k < chunk ? bytes - k : chunk);
    return ERR_OK;
}

static enum err copy(struct device *dev, void *to, const void *from, size_t bytes)
{
    (void)dev;
    memcpy(to, from, bytes);
    return ERR_OK;
}

static enum err fetch(struct device *dev, int number, void *to, const void *from, size_t bytes)
{
    const size_t chunk = 1 << 20;
    (void)number;
#pragma omp parallel for schedule(static) num_threads(dev->threads) if (bytes > 4 * chunk)
    for (size_t k = 0; k < bytes; k += chunk)
        memcpy((char *)to + k, (const char *)from + k, bytes - k < chunk ? bytes - k : chunk);
    return ERR_OK;
}

static enum err fetched(struct device *dev, int number)
{
    (void)dev, (void)number;
    return ERR_OK;
}

static int reaches(struct device *dev, const struct device *other)
{
    (void)dev, (void)other;
    return 1;
}

/* Launches have ended when they return. */
static enum err signal_others(struct device *dev, int number)
{
    (void)dev, (void)number;
    return ERR_OK;
}

static enum err await(struct device *dev, const struct device *other, int number)
{
    (void)dev, (void)other, (void)number;
    return ERR_OK;
}

/* Blocks in any order, as on a GPU. */
static long block_turn(const struct device *dev, long n, long blocks)
{
    if (dev->options.order == 1)
        return blocks - 1 - n;
    return blocks % 104729 == 0 ? n : (long)((unsigned long)n * 104729 % (unsigned long)blocks);
}

static enum err launch_fibres(struct device *dev, struct loaded *k, long blocks, int gx,
                              const void *args)
{
    enum err failed = ERR_OK;
    char message[512] = "";
#pragma omp parallel for schedule(static) num_threads(dev->threads)
    for (long n = 0; n < blocks; n++) {
        int me = omp_get_thread_num();
        long b = block_turn(dev, n, blocks);
        struct fibre_call call = {.body = k->object.thread,
                                  .args = args,
                                  .block_x = (int)(b % gx),
                                  .block_y = (int)(b / gx),
                                  .arena = dev->arena[me],
                                  .threads = block_threads(k->recipe.kernel, k->recipe.block),
                                  .order = dev->options.order};
        memset(dev->arena[me], 0xff, k->object.arena_bytes); /* NaN: unwritten values show */
        if (block_threads_run(dev->fibre[me], &call)) {
#pragma omp critical
            {
                failed = ERR_KERNEL;
                snprintf(message, sizeof message, "%s", err_message());
            }
        }
    }
    if (failed)
        FAIL(KERNEL, "kernel %s: %s", k->recipe.kernel->name, message);
    return ERR_OK;
}

/* The blocks that a thread takes at once: several times, as of tiles only the first blocks may have work. */
static long piece(const struct device *dev, long blocks)
{
    const long pieces = 16L * dev->threads;
    return (blocks + pieces - 1) / pieces;
}

static enum err launch(struct device *dev, struct loaded *k, int gx, int gy, const void *args,
                       size_t bytes)
{
    const long blocks = (long)gx * gy;
    /* Waking threads costs more than a few thousand cells, and much more on a busy machine. */
    struct span span;
    memcpy(&span, args, sizeof span); /* kernels/args.h: it comes first */
    const int share = (long)span.nx * span.ny >= WORTH_SHARING;
    if (bytes != k->object.args_bytes)
        FAIL(KERNEL, ARGS_DIFFER, k->recipe.kernel->name, k->object.args_bytes, bytes);
    if (dev->options.order)
        return launch_fibres(dev, k, blocks, gx, args);
#pragma omp parallel for schedule(static, piece(dev, blocks)) \
    num_threads(dev->threads) if (share && blocks > 1)
    for (long b = 0; b < blocks; b++)
        k->object.block(args, (int)(b % gx), (int)(b / gx), dev->arena[omp_get_thread_num()]);
    return ERR_OK;
}

/* Launches have ended when they return, so pending copies have arrived. */
static enum err peek(struct device *dev, const void *from, size_t bytes)
{
    if (bytes > PEEK_BYTES || dev->peeked - dev->waited == PEEKS)
        FAIL(MACHINE, "too many or too large pending copies");
    memcpy(dev->peek[dev->peeked++ % PEEKS], from, bytes);
    return ERR_OK;
}

static enum err wait_copy(struct device *dev, void *to, size_t bytes)
{
    if (dev->waited == dev->peeked)
        FAIL(MACHINE, "no pending copy");
    memcpy(to, dev->peek[dev->waited++ % PEEKS], bytes);
    return ERR_OK;
}

static enum err sync_device(struct device *dev)
{
    (void)dev;
    return ERR_OK;
}

static enum err mark(struct device *dev, int number)
{
    dev->mark[number] = seconds();
    return ERR_OK;
}

static enum err between(struct device *dev, int from, int to, double *elapsed)
{
    *elapsed = dev->mark[to] - dev->mark[from];
    return ERR_OK;
}

const struct backend backend_cpu = {
    .name = "cpu",
    .available = available,
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
    .reserve = reserve,
    .grow = grow,
    .fill = fill_bytes,
    .upload = copy,
    .download = copy,
    .copy = copy,
    .host_alloc = alloc,
    .host_release = release,
    .fetch = fetch,
    .fetched = fetched,
    .reaches = reaches,
    .signal = signal_others,
    .await = await,
    .launch = launch,
    .peek = peek,
    .wait = wait_copy,
    .sync = sync_device,
    .mark = mark,
    .between = between,
};
