/* Streams that lag behind, on the CPU's backend. */
#include "tests/support/streams.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/sim/parts.h"

enum { MOST_STREAMS = 32, MOST_ARGS = 1024, MOST_PEEKS = 16 };
enum kind { LAUNCH, FILL, COPY, PEEK, AWAIT, GRAPH };

struct entry {
    enum kind kind;
    struct loaded *kernel;
    int gx, gy, byte, other; /* AWAIT: the entries of the other one's before `until` */
    void *to;
    const void *from;
    size_t bytes;
    long until;
    struct graph *graph;
    unsigned char args[MOST_ARGS];
};

struct line {
    struct entry *entry;
    long count, done, room;
};

/* A line for each device that took part. */
struct graph {
    struct line line[MOST_STREAMS];
    int part[MOST_STREAMS], joined[MOST_STREAMS];
};

/* Where a signal stands; in a recording. */
struct flag {
    long after;
    struct graph *in;
};

static struct stream {
    struct device *device;
    struct line line;
    struct flag flag[SIGNALS];
    long peek[MOST_PEEKS]; /* where the copies under way are enqueued */
    int peeks;
    struct graph *recording; /* it takes part */
    struct device_info info;
} stream[MOST_STREAMS];

int streams_waits, streams_recordings, streams_replays, streams_deaf_to = -1, streams_early = -1;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int find(const struct device *dev)
{
    int k = 0;
    while (k < MOST_STREAMS && stream[k].device != dev)
        k++;
    assert_true(k < MOST_STREAMS);
    return k;
}

static void append(struct line *l, const struct entry *e)
{
    if (l->count == l->room) {
        l->room = 2 * l->room + 64;
        l->entry = realloc(l->entry, (size_t)l->room * sizeof *e);
        assert_non_null(l->entry);
    }
    l->entry[l->count++] = *e;
}

/* With the lock held, as all that follows. */
static void enqueue(int k, const struct entry *e)
{
    append(stream[k].recording ? &stream[k].recording->line[k] : &stream[k].line, e);
}

static enum err run(struct graph *in, int k, long until);

/* The last ones first. */
static enum err run_graph(struct graph *g)
{
    for (int k = 0; k < MOST_STREAMS; k++)
        g->line[k].done = 0;
    for (int k = MOST_STREAMS - 1; k >= 0; k--)
        TRY(run(g, k, g->line[k].count));
    return ERR_OK;
}

static enum err execute(struct graph *in, int k, const struct entry *e)
{
    struct device *dev = stream[k].device;
    switch (e->kind) {
    case LAUNCH:
        return backend_cpu.launch(dev, e->kernel, e->gx, e->gy, e->args, e->bytes);
    case FILL:
        return backend_cpu.fill(dev, e->to, e->byte, e->bytes);
    case COPY:
        return backend_cpu.copy(dev, e->to, e->from, e->bytes);
    case PEEK:
        return backend_cpu.peek(dev, e->from, e->bytes);
    case AWAIT:
        return run(in, e->other, e->until);
    case GRAPH:
        return run_graph(e->graph);
    }
    return ERR_OK;
}

/* No more than is asked for. */
static enum err run(struct graph *in, int k, long until)
{
    struct line *l = in ? &in->line[k] : &stream[k].line;
    while (l->done < until) {
        const struct entry e = l->entry[l->done];
        TRY(execute(in, k, &e));
        l->done++;
    }
    return ERR_OK;
}

static enum err run_all(struct device *dev)
{
    const int k = find(dev);
    assert_null(stream[k].recording);
    streams_waits++;
    return run(NULL, k, stream[k].line.count);
}

/* Locks, and does all that was enqueued before; then what waits for it. */
#define WAITING(call)            \
    pthread_mutex_lock(&lock);   \
    enum err e = run_all(dev);   \
    if (!e)                      \
        e = call;                \
    pthread_mutex_unlock(&lock); \
    return e

static enum err add(struct device *dev, const struct entry *e)
{
    pthread_mutex_lock(&lock);
    enqueue(find(dev), e);
    pthread_mutex_unlock(&lock);
    return ERR_OK;
}

static enum err launch(struct device *dev, struct loaded *k, int gx, int gy, const void *args,
                       size_t bytes)
{
    struct entry e = {.kind = LAUNCH, .kernel = k, .gx = gx, .gy = gy, .bytes = bytes};
    assert_true(bytes <= MOST_ARGS);
    memcpy(e.args, args, bytes);
    return add(dev, &e);
}

static enum err fill(struct device *dev, void *p, int byte, size_t bytes)
{
    return add(dev, &(struct entry){.kind = FILL, .to = p, .byte = byte, .bytes = bytes});
}

static enum err copy(struct device *dev, void *to, const void *from, size_t bytes)
{
    return add(dev, &(struct entry){.kind = COPY, .to = to, .from = from, .bytes = bytes});
}

static enum err upload(struct device *dev, void *to, const void *from, size_t bytes)
{
    WAITING(backend_cpu.upload(dev, to, from, bytes));
}

static enum err download(struct device *dev, void *to, const void *from, size_t bytes)
{
    WAITING(backend_cpu.download(dev, to, from, bytes));
}

static enum err fetch(struct device *dev, int number, void *to, const void *from, size_t bytes)
{
    WAITING(backend_cpu.fetch(dev, number, to, from, bytes));
}

static enum err sync_device(struct device *dev)
{
    WAITING(ERR_OK);
}

static enum err mark(struct device *dev, int number)
{
    WAITING(backend_cpu.mark(dev, number));
}

static enum err peek(struct device *dev, const void *from, size_t bytes)
{
    pthread_mutex_lock(&lock);
    struct stream *s = &stream[find(dev)];
    assert_null(s->recording);
    append(&s->line, &(struct entry){.kind = PEEK, .from = from, .bytes = bytes});
    assert_true(s->peeks < MOST_PEEKS);
    s->peek[s->peeks++] = s->line.count;
    pthread_mutex_unlock(&lock);
    return ERR_OK;
}

static enum err wait_for_peek(struct device *dev, void *to, size_t bytes)
{
    pthread_mutex_lock(&lock);
    const int k = find(dev);
    struct stream *s = &stream[k];
    assert_true(s->peeks > 0);
    enum err e = run(NULL, k, s->peek[0]);
    memmove(s->peek, s->peek + 1, (size_t)--s->peeks * sizeof *s->peek);
    if (!e)
        e = backend_cpu.wait(dev, to, bytes);
    pthread_mutex_unlock(&lock);
    return e;
}

static enum err set_flag(struct device *dev, int number)
{
    pthread_mutex_lock(&lock);
    const int k = find(dev);
    struct graph *g = stream[k].recording;
    const long behind = g ? g->line[k].count : stream[k].line.count;
    stream[k].flag[number] = (struct flag){behind - (number == streams_early && behind > 0), g};
    pthread_mutex_unlock(&lock);
    return ERR_OK;
}

/* Who awaits a signal of a recording takes part in it. */
static enum err await(struct device *dev, const struct device *other, int number)
{
    pthread_mutex_lock(&lock);
    const int k = find(dev), m = find(other);
    const struct flag *f = &stream[m].flag[number];
    if (f->in && !stream[k].recording)
        stream[k].recording = f->in;
    assert_ptr_equal(stream[k].recording, f->in);
    if (f->in) {
        f->in->part[k] = 1;
        f->in->joined[m] |= k == 0 && f->after == f->in->line[m].count;
    }
    if (streams_deaf_to != number)
        enqueue(k, &(struct entry){.kind = AWAIT, .other = m, .until = f->after});
    pthread_mutex_unlock(&lock);
    return ERR_OK;
}

static enum err record_begin(struct device *dev)
{
    pthread_mutex_lock(&lock);
    struct stream *s = &stream[find(dev)];
    assert_ptr_equal(s, stream);
    assert_null(s->recording);
    s->recording = calloc(1, sizeof *s->recording);
    assert_non_null(s->recording);
    streams_recordings++;
    pthread_mutex_unlock(&lock);
    return ERR_OK;
}

static void graph_free(struct device *dev, struct graph *g)
{
    (void)dev;
    for (int k = 0; g && k < MOST_STREAMS; k++)
        free(g->line[k].entry);
    free(g);
}

/* All that took part have come back to the first. */
static enum err record_end(struct device *dev, struct graph **g)
{
    pthread_mutex_lock(&lock);
    struct graph *made = stream[find(dev)].recording;
    assert_non_null(made);
    for (int k = 0; k < MOST_STREAMS; k++) {
        assert_true(!g || k == 0 || !made->part[k] || made->joined[k]);
        stream[k].recording = NULL;
        for (int n = 0; n < SIGNALS; n++)
            if (stream[k].flag[n].in)
                stream[k].flag[n] = (struct flag){0, NULL};
    }
    pthread_mutex_unlock(&lock);
    if (g)
        *g = made;
    else
        graph_free(dev, made);
    return ERR_OK;
}

static enum err replay(struct device *dev, struct graph *g)
{
    streams_replays++;
    return add(dev, &(struct entry){.kind = GRAPH, .graph = g});
}

static const struct device_info *info(const struct device *dev)
{
    struct device_info *with = &stream[find(dev)].info;
    *with = *backend_cpu.info(dev);
    with->graphs = 1;
    return with;
}

void streams_attach(struct sim *whole)
{
    static struct backend lagging;
    lagging = backend_cpu;
    lagging.info = info;
    lagging.launch = launch;
    lagging.fill = fill;
    lagging.copy = copy;
    lagging.upload = upload;
    lagging.download = download;
    lagging.fetch = fetch;
    lagging.sync = sync_device;
    lagging.mark = mark;
    lagging.peek = peek;
    lagging.wait = wait_for_peek;
    lagging.signal = set_flag;
    lagging.await = await;
    lagging.record_begin = record_begin;
    lagging.record_end = record_end;
    lagging.replay = replay;
    lagging.graph_free = graph_free;
    assert_true(whole->parts->count <= MOST_STREAMS);
    for (int k = 0; k < whole->parts->count; k++) {
        stream[k] = (struct stream){.device = whole->parts->sim[k]->device};
        whole->parts->sim[k]->backend = &lagging;
    }
}

void streams_end(void)
{
    for (int k = 0; k < MOST_STREAMS; k++) {
        free(stream[k].line.entry);
        stream[k] = (struct stream){0};
    }
}
