/* Streams of the stand-in for NVIDIA's driver, and of that for NCCL: work is done at once; or kept, while a stream is
 * recorded, or waits for an event of one that is. */
#ifndef SHOAL_TEST_STAND_IN_STREAM_H
#define SHOAL_TEST_STAND_IN_STREAM_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct kept_work {
    struct kept_work *next;
    void (*run)(void *data);
    _Alignas(16) char data[];
};

/* A recording, and the graph made of it. */
struct capture {
    struct kept_work *first, **last;
    int users; /* that have it, as a recording or as a graph */
    int ended;
    pthread_mutex_t lock;
};

struct stand_in_stream {
    struct capture *capture; /* the last one that it was part of; each holds it */
};

static inline void capture_drop(struct capture *c)
{
    if (!c || __atomic_sub_fetch(&c->users, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    for (struct kept_work *w = c->first, *next; w; w = next) {
        next = w->next;
        free(w);
    }
    free(c);
}

static inline void capture_take(struct capture **to, struct capture *c)
{
    if (c)
        __atomic_add_fetch(&c->users, 1, __ATOMIC_ACQ_REL);
    capture_drop(*to);
    *to = c;
}

static inline int stream_records(const struct stand_in_stream *s)
{
    return s->capture && !s->capture->ended;
}

/* A copy of the data is kept. 0: done. */
static inline int stream_enqueue(struct stand_in_stream *s, void (*run)(void *), const void *data,
                                 size_t bytes)
{
    struct kept_work *w = malloc(sizeof *w + bytes);
    if (!w)
        return 2;
    w->next = NULL;
    w->run = run;
    memcpy(w->data, data, bytes);
    if (stream_records(s)) {
        pthread_mutex_lock(&s->capture->lock);
        *s->capture->last = w;
        s->capture->last = &w->next;
        pthread_mutex_unlock(&s->capture->lock);
        return 0;
    }
    run(w->data);
    free(w);
    return 0;
}

#endif
