/* Opens CUPTI and collects its records of kernel launches. */
#include "core/device/cupti.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/shared_library.h"
#include "core/compile/cuda_toolkit.h"
#include "core/device/cuda_api.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* Names and numbers of NVIDIA's "CUPTI" documentation, Activity API, as far as used here. */
typedef struct cupti_subscriber *CUpti_SubscriberHandle;
typedef void request_callback(uint8_t **buffer, size_t *bytes, size_t *most_records);
typedef void complete_callback(CUcontext c, uint32_t stream, uint8_t *buffer, size_t bytes,
                               size_t valid);
typedef void event_callback(void *user, int domain, uint32_t id, const void *data);

enum {
    CUPTI_SUCCESS = 0,
    CUPTI_ERROR_NOT_INITIALIZED = 15,
    CUPTI_ERROR_DISABLED = 23,
    CUPTI_ERROR_INSUFFICIENT_PRIVILEGES = 35,
    CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED = 39,
    CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES = 40,
};
enum { CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL = 10, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED = 1 };

/* Offsets of members in the record of a launch, bytes. The structs CUpti_ActivityKernel3 to
 * CUpti_ActivityKernel10 (CUDA 7 to 13.0) agree up to the name, as the documentation lists them;
 * newer ones only add members after it. is_sound checks that a record matches. */
enum {
    AT_KIND = 0,
    AT_START = 16,
    AT_END = 24,
    AT_GRID = 52,
    AT_BLOCK = 64,
    AT_CORRELATION = 92,
    AT_NAME = 104,
};

struct kernel_record {
    uint64_t start, end; /* ns; 0: unknown */
    int32_t grid[3], block[3];
    uint32_t correlation; /* number of the driver's call */
    const char *name;
};

#define CUPTI_FUNCTIONS(X)                                                                 \
    X(version, "cuptiGetVersion", (uint32_t * version))                                    \
    X(words, "cuptiGetResultString", (int result, const char **text))                      \
    X(subscribe, "cuptiSubscribe",                                                         \
      (CUpti_SubscriberHandle * s, event_callback * callback, void *user))                 \
    X(unsubscribe, "cuptiUnsubscribe", (CUpti_SubscriberHandle s))                         \
    X(register_callbacks, "cuptiActivityRegisterCallbacks",                                \
      (request_callback * request, complete_callback * complete))                          \
    X(enable, "cuptiActivityEnable", (int kind))                                           \
    X(disable, "cuptiActivityDisable", (int kind))                                         \
    X(flush, "cuptiActivityFlushAll", (uint32_t flag))                                     \
    X(next, "cuptiActivityGetNextRecord", (uint8_t * buffer, size_t valid, void **record)) \
    X(dropped, "cuptiActivityGetNumDroppedRecords", (CUcontext c, uint32_t stream, size_t * count))

struct cupti_api {
#define CUPTI_MEMBER(name, symbol, parameters) int(*name) parameters;
    CUPTI_FUNCTIONS(CUPTI_MEMBER)
#undef CUPTI_MEMBER
    char path[PATH_LENGTH];
    uint32_t number; /* of CUPTI's interface: 130001 for CUDA 13.0, below 100 before CUDA 13 */
};

static const struct library_symbol symbols[] = {
#define CUPTI_SYMBOL(name, symbol, parameters) {symbol, offsetof(struct cupti_api, name)},
    CUPTI_FUNCTIONS(CUPTI_SYMBOL)
#undef CUPTI_SYMBOL
};

enum { BUFFER_BYTES = 1 << 20 };

/* CUPTI's callbacks take no user argument and may run in a thread of their own: hence one recording
 * for the whole process, and a lock around it. */
static struct {
    pthread_mutex_t lock;
    struct cupti_api api;
    int opened, recording;
    CUpti_SubscriberHandle subscriber;
    struct cupti_launches got;
    size_t room;
    char strange[256]; /* the first implausible record, "" while all are plausible */
} the = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int start(struct cupti_api *api, char *why, size_t n)
{
    static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8",
                                        "libcupti.so"};
    char looked[2 * PATH_LENGTH];
    void *library = cuda_toolkit_open(names, COUNT_OF(names), looked, sizeof looked);
    if (!library) {
        snprintf(why, n,
                 "CUPTI, CUDA's library for profilers (libcupti), was not found in: %s; "
                 "./bootstrap --cuda fetches it, or set SHOAL_CUDA to the folder of a CUDA toolkit",
                 looked);
        return 0;
    }
    library_path(library, api->path);
    const char *missing = library_resolve(library, api, symbols, COUNT_OF(symbols));
    if (missing) {
        snprintf(why, n, "CUPTI (%s) lacks %s: CUDA %d.%d or later needed", api->path, missing,
                 CUDA_NEEDED_MAJOR, CUDA_NEEDED_MINOR);
        dlclose(library);
        return 0;
    }
    if (api->version(&api->number) != CUPTI_SUCCESS)
        api->number = 0;
    return 1;
}

static int open_once(char *why, size_t n)
{
    pthread_mutex_lock(&the.lock);
    if (!the.opened) {
        struct cupti_api fresh = {0};
        the.opened = start(&fresh, why, n);
        if (the.opened)
            the.api = fresh;
    }
    int result = the.opened;
    pthread_mutex_unlock(&the.lock);
    return result;
}

int cupti_version(char *text, size_t n)
{
    if (!open_once(text, n))
        return 0;
    snprintf(text, n, "%u", the.api.number);
    return 1;
}

static const char *remedy(int result)
{
    switch (result) {
    case CUPTI_ERROR_NOT_INITIALIZED:
        return "; the driver may be older than this CUPTI: update it, or set SHOAL_CUDA to an "
               "older toolkit";
    case CUPTI_ERROR_DISABLED:
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
        return "; another profiler or debugger uses the GPU: run without it";
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
        return "; ask the machine's administrator to allow profiling";
    default:
        return "";
    }
}

/* Did the call succeed? If not, `why` holds CUPTI's reason. */
static int fine(int result, const char *call, char *why, size_t n)
{
    const char *words = NULL;
    if (result == CUPTI_SUCCESS)
        return 1;
    if (the.api.words(result, &words) != CUPTI_SUCCESS || !words)
        words = "unknown error";
    snprintf(why, n, "%s: %s (CUPTI error %d, %s)%s", call, words, result, the.api.path,
             remedy(result));
    return 0;
}

static void give_buffer(uint8_t **buffer, size_t *bytes, size_t *most_records)
{
    *most_records = 0; /* as many as fit */
    *buffer = malloc(BUFFER_BYTES);
    *bytes = *buffer ? BUFFER_BYTES : 0;
}

static struct kernel_record read_record(const void *at)
{
    const unsigned char *r = at;
    struct kernel_record k;
    memcpy(&k.start, r + AT_START, sizeof k.start);
    memcpy(&k.end, r + AT_END, sizeof k.end);
    memcpy(k.grid, r + AT_GRID, sizeof k.grid);
    memcpy(k.block, r + AT_BLOCK, sizeof k.block);
    memcpy(&k.correlation, r + AT_CORRELATION, sizeof k.correlation);
    memcpy(&k.name, r + AT_NAME, sizeof k.name);
    return k;
}

static int within(const int32_t x[3], const int32_t most[3])
{
    return x[0] >= 1 && x[0] <= most[0] && x[1] >= 1 && x[1] <= most[1] && x[2] >= 1 &&
           x[2] <= most[2];
}

/* CUDA's limits of grids and blocks, and increasing times: members at other offsets would not pass. */
static int is_sound(const struct kernel_record *r)
{
    static const int32_t most_blocks[3] = {INT32_MAX, 65535, 65535},
                         most_threads[3] = {1024, 1024, 64};
    return r->name && r->end >= r->start && within(r->grid, most_blocks) &&
           within(r->block, most_threads) && r->block[0] * r->block[1] * r->block[2] <= 1024;
}

static void note_strange(const struct kernel_record *r)
{
    snprintf(the.strange, sizeof the.strange,
             "start %llu, end %llu, grid %dx%dx%d, block %dx%dx%d, correlation %u, %s",
             (unsigned long long)r->start, (unsigned long long)r->end, r->grid[0], r->grid[1],
             r->grid[2], r->block[0], r->block[1], r->block[2], r->correlation,
             r->name ? "a name" : "no name");
}

static struct cupti_launch *next_place(void)
{
    if (the.got.count == the.room) {
        size_t room = the.room ? 2 * the.room : 1024;
        struct cupti_launch *more = realloc(the.got.at, room * sizeof *more);
        if (!more)
            return NULL;
        the.got.at = more;
        the.room = room;
    }
    return &the.got.at[the.got.count++];
}

static void keep(const struct kernel_record *r)
{
    if (*the.strange)
        return;
    /* Zero means that the time is unknown. */
    const int timed = r->start && r->end;
    if (timed && !is_sound(r)) {
        note_strange(r);
        return;
    }
    struct cupti_launch *l = timed ? next_place() : NULL;
    if (!l) {
        the.got.dropped++;
        return;
    }
    *l = (struct cupti_launch){.start = r->start, .end = r->end, .number = r->correlation};
    snprintf(l->name, sizeof l->name, "%s", r->name);
    memcpy(l->grid, r->grid, sizeof l->grid);
    memcpy(l->block, r->block, sizeof l->block);
}

static void take_buffer(CUcontext c, uint32_t stream, uint8_t *buffer, size_t bytes, size_t valid)
{
    (void)bytes;
    void *at = NULL;
    size_t dropped = 0;
    pthread_mutex_lock(&the.lock);
    while (the.recording && buffer && the.api.next(buffer, valid, &at) == CUPTI_SUCCESS) {
        uint32_t kind;
        memcpy(&kind, (const unsigned char *)at + AT_KIND, sizeof kind);
        if (kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
            const struct kernel_record r = read_record(at);
            keep(&r);
        }
    }
    if (the.recording && the.api.dropped(c, stream, &dropped) == CUPTI_SUCCESS)
        the.got.dropped += dropped;
    pthread_mutex_unlock(&the.lock);
    free(buffer);
}

static void ignore_event(void *user, int domain, uint32_t id, const void *data)
{
    (void)user, (void)domain, (void)id, (void)data;
}

/* Subscribing reveals whether another profiler is active. */
static int enable(char *why, size_t n)
{
    if (!fine(the.api.subscribe(&the.subscriber, ignore_event, NULL), "cuptiSubscribe", why, n))
        return 0;
    if (fine(the.api.register_callbacks(give_buffer, take_buffer), "cuptiActivityRegisterCallbacks",
             why, n) &&
        fine(the.api.enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), "cuptiActivityEnable", why, n))
        return 1;
    the.api.unsubscribe(the.subscriber);
    return 0;
}

static void set_recording(int on)
{
    pthread_mutex_lock(&the.lock);
    the.recording = on;
    pthread_mutex_unlock(&the.lock);
}

int cupti_begin(char *why, size_t n)
{
    if (!open_once(why, n))
        return 0;
    if (the.recording) {
        snprintf(why, n, "CUPTI is already recording");
        return 0;
    }
    the.got = (struct cupti_launches){0};
    the.room = 0;
    the.strange[0] = 0;
    set_recording(1); /* before the first buffer can come */
    int enabled = enable(why, n);
    if (!enabled)
        set_recording(0);
    return enabled;
}

static int in_order(const void *a, const void *b)
{
    const struct cupti_launch *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* Records come in the order in which buffers fill, which may differ from that of the launches. */
static void hand_over(struct cupti_launches *all)
{
    *all = the.got;
    the.got = (struct cupti_launches){0};
    if (all->count)
        qsort(all->at, all->count, sizeof *all->at, in_order);
}

int cupti_end(struct cupti_launches *all, char *why, size_t n)
{
    *all = (struct cupti_launches){0};
    if (!the.recording) {
        snprintf(why, n, "CUPTI is not recording");
        return 0;
    }
    int flushed =
        fine(the.api.flush(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "cuptiActivityFlushAll", why, n);
    the.api.disable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    the.api.unsubscribe(the.subscriber);
    set_recording(0);
    hand_over(all);
    if (flushed && *the.strange)
        snprintf(why, n,
                 "CUPTI (%s, interface %u) writes records in a layout that Shoal does not know: "
                 "one reads as %s",
                 the.api.path, the.api.number, the.strange);
    if (flushed && !*the.strange)
        return 1;
    cupti_free(all);
    return 0;
}

void cupti_free(struct cupti_launches *all)
{
    free(all->at);
    *all = (struct cupti_launches){0};
}
