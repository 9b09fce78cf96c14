/* Threads that prepare pieces ahead of the one that takes them. */
#include "core/base/ordered_workers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/thread.h"

struct ordered_workers {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const struct ordered_job *job;
    size_t places;
    size_t begun, taken; /* pieces; those between are in work, or ready */
    char *ready;         /* by place */
    int busy, ending;    /* pieces in work; the threads are to end */
    enum err failed;     /* of the first piece that could not be prepared, with its message */
    char message[4096];
    int helpers;
    pthread_t helper[];
};

static int can_begin(const struct ordered_workers *c)
{
    return c->job && !c->failed && c->begun < c->job->pieces && c->begun < c->taken + c->places;
}

/* This and the next are called and left with the lock held. */
static void prepare_next(struct ordered_workers *c)
{
    const struct ordered_job *job = c->job;
    const size_t piece = c->begun++, place = piece % c->places;
    c->busy++;
    pthread_mutex_unlock(&c->lock);
    const enum err e = job->prepare(job->context, piece, place);
    pthread_mutex_lock(&c->lock);
    c->busy--;
    c->ready[place] = 1;
    if (e && !c->failed) {
        c->failed = e;
        snprintf(c->message, sizeof c->message, "%s", err_message());
    }
    pthread_cond_broadcast(&c->changed);
}

static enum err take_next(struct ordered_workers *c)
{
    const size_t piece = c->taken, place = piece % c->places;
    pthread_mutex_unlock(&c->lock);
    const enum err e = c->job->take(c->job->context, piece, place);
    pthread_mutex_lock(&c->lock);
    c->ready[place] = 0;
    c->taken++;
    pthread_cond_broadcast(&c->changed);
    return e;
}

static void *help(void *context)
{
    struct ordered_workers *c = context;
    pthread_mutex_lock(&c->lock);
    while (!c->ending) {
        if (can_begin(c))
            prepare_next(c);
        else
            pthread_cond_wait(&c->changed, &c->lock);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

enum err ordered_workers_create(struct ordered_workers **out, int helpers)
{
    const size_t places = 2 * ((size_t)helpers + 1);
    struct ordered_workers *c = calloc(1, sizeof *c + (size_t)helpers * sizeof *c->helper);
    char *ready = calloc(places, 1);
    if (!c || !ready) {
        free(c);
        free(ready);
        FAIL(MEMORY, "no memory for threads that prepare what is written");
    }
    c->places = places;
    c->ready = ready;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->changed, NULL);
    int failed = 0;
    while (!failed && c->helpers < helpers) {
        failed = thread_start(&c->helper[c->helpers], help, c);
        c->helpers += !failed;
    }
    if (failed) {
        ordered_workers_destroy(&c);
        FAIL(MACHINE, "no thread can be started to prepare what is written: %s", strerror(failed));
    }
    *out = c;
    return ERR_OK;
}

size_t ordered_workers_places(const struct ordered_workers *c)
{
    return c->places;
}

enum err ordered_workers_do(struct ordered_workers *c, const struct ordered_job *job)
{
    enum err e = ERR_OK;
    pthread_mutex_lock(&c->lock);
    c->begun = c->taken = 0;
    c->failed = ERR_OK;
    memset(c->ready, 0, c->places);
    c->job = job;
    pthread_cond_broadcast(&c->changed);
    while (!e && !c->failed && c->taken < job->pieces) {
        if (c->ready[c->taken % c->places])
            e = take_next(c);
        else if (can_begin(c))
            prepare_next(c);
        else
            pthread_cond_wait(&c->changed, &c->lock);
    }
    c->job = NULL; /* no other piece is begun */
    while (c->busy)
        pthread_cond_wait(&c->changed, &c->lock);
    if (!e && c->failed)
        e = err_set(c->failed, __FILE__, __LINE__, "%s", c->message);
    pthread_mutex_unlock(&c->lock);
    return e;
}

void ordered_workers_destroy(struct ordered_workers **out)
{
    struct ordered_workers *c = *out;
    *out = NULL;
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    c->ending = 1;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
    for (int k = 0; k < c->helpers; k++)
        pthread_join(c->helper[k], NULL);
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->lock);
    free(c->ready);
    free(c);
}
