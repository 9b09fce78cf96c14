/* The CPU's backend with graphs, as lists of launches. */
#include "tests/support/recorder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int recorder_recordings, recorder_replays, recorder_launches;
int recorder_fail_after = RECORDER_NEVER;

enum { MOST_ARGS = 1024 };

/* A launch; or a fill, which has no kernel. */
struct entry {
    struct loaded *kernel;
    int gx, gy, byte;
    void *to;
    size_t bytes;
    unsigned char args[MOST_ARGS];
};

struct graph {
    struct entry *entry;
    int count;
};

static struct graph *under_way;

int recorder_records(void)
{
    return under_way != NULL;
}

static const struct device_info *info(const struct device *dev)
{
    static struct device_info with;
    with = *backend_cpu.info(dev);
    with.graphs = 1;
    return &with;
}

static void graph_free(struct device *dev, struct graph *g)
{
    (void)dev;
    if (!g)
        return;
    free(g->entry);
    free(g);
}

static enum err record_begin(struct device *dev)
{
    (void)dev;
    assert_null(under_way);
    under_way = calloc(1, sizeof *under_way);
    assert_non_null(under_way);
    recorder_recordings++;
    return ERR_OK;
}

static enum err record_end(struct device *dev, struct graph **g)
{
    struct graph *made = under_way;
    assert_non_null(made);
    under_way = NULL;
    recorder_launches = made->count;
    if (g && recorder_fail_after != RECORDER_AT_END) {
        *g = made;
        return ERR_OK;
    }
    graph_free(dev, made);
    if (g)
        FAIL(MACHINE, "made up");
    return ERR_OK;
}

static enum err keep(const struct entry *e)
{
    struct graph *g = under_way;
    if (g->count == recorder_fail_after)
        FAIL(MACHINE, "made up");
    struct entry *larger = realloc(g->entry, ((size_t)g->count + 1) * sizeof *larger);
    assert_non_null(larger);
    g->entry = larger;
    g->entry[g->count++] = *e;
    return ERR_OK;
}

static enum err launch(struct device *dev, struct loaded *k, int gx, int gy, const void *args,
                       size_t bytes)
{
    struct entry e = {.kernel = k, .gx = gx, .gy = gy, .bytes = bytes};
    if (!under_way)
        return backend_cpu.launch(dev, k, gx, gy, args, bytes);
    assert_true(bytes <= MOST_ARGS);
    memcpy(e.args, args, bytes);
    return keep(&e);
}

static enum err fill(struct device *dev, void *p, int byte, size_t bytes)
{
    const struct entry e = {.to = p, .byte = byte, .bytes = bytes};
    return under_way ? keep(&e) : backend_cpu.fill(dev, p, byte, bytes);
}

static enum err replay(struct device *dev, struct graph *g)
{
    assert_null(under_way);
    recorder_replays++;
    for (int k = 0; k < g->count; k++) {
        const struct entry *e = &g->entry[k];
        TRY(e->kernel ? backend_cpu.launch(dev, e->kernel, e->gx, e->gy, e->args, e->bytes)
                      : backend_cpu.fill(dev, e->to, e->byte, e->bytes));
    }
    return ERR_OK;
}

static enum err upload(struct device *dev, void *to, const void *from, size_t bytes)
{
    assert_null(under_way);
    return backend_cpu.upload(dev, to, from, bytes);
}

static enum err peek(struct device *dev, const void *from, size_t bytes)
{
    assert_null(under_way);
    return backend_cpu.peek(dev, from, bytes);
}

static enum err mark(struct device *dev, int number)
{
    assert_null(under_way);
    return backend_cpu.mark(dev, number);
}

static enum err sync_device(struct device *dev)
{
    assert_null(under_way);
    return backend_cpu.sync(dev);
}

void recorder_attach(struct sim *s)
{
    static struct backend recorder;
    recorder = backend_cpu;
    recorder.info = info;
    recorder.launch = launch;
    recorder.fill = fill;
    recorder.upload = upload;
    recorder.peek = peek;
    recorder.mark = mark;
    recorder.sync = sync_device;
    recorder.record_begin = record_begin;
    recorder.record_end = record_end;
    recorder.replay = replay;
    recorder.graph_free = graph_free;
    s->backend = &recorder;
}
