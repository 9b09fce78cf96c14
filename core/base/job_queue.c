/* One thread, a queue of jobs, and the first error. */
#include "core/base/job_queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/thread.h"

enum { JOBS = 8 };

struct job {
    queued_job *run;
    void *context;
};

struct job_queue {
    pthread_t thread;
    void (*begin)(void);
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct job queue[JOBS]; /* `count` from `oldest` on; the oldest may be running */
    int oldest, count, running, ending;
    enum err failed; /* of the first job that failed, with its message */
    char message[4096];
};

/* Called with the lock held, and returns with it held. */
static void run_oldest(struct job_queue *b)
{
    const struct job j = b->queue[b->oldest];
    if (!b->failed) {
        b->running = 1;
        pthread_mutex_unlock(&b->lock);
        const enum err e = j.run(j.context);
        pthread_mutex_lock(&b->lock);
        b->running = 0;
        if (e) {
            b->failed = e;
            snprintf(b->message, sizeof b->message, "%s", err_message());
        }
    }
    b->oldest = (b->oldest + 1) % JOBS;
    b->count--;
    pthread_cond_broadcast(&b->changed);
}

static void *work(void *context)
{
    struct job_queue *b = context;
    if (b->begin)
        b->begin();
    pthread_mutex_lock(&b->lock);
    while (!b->ending) {
        if (b->count > 0)
            run_oldest(b);
        else
            pthread_cond_wait(&b->changed, &b->lock);
    }
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

enum err job_queue_create(struct job_queue **out, void (*begin)(void))
{
    struct job_queue *b = calloc(1, sizeof *b);
    if (!b)
        FAIL(MEMORY, "no memory for the thread that writes in the background");
    b->begin = begin;
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->changed, NULL);
    const int failed = thread_start(&b->thread, work, b);
    if (failed) {
        pthread_cond_destroy(&b->changed);
        pthread_mutex_destroy(&b->lock);
        free(b);
        FAIL(MACHINE, "no thread can be started to write in the background: %s", strerror(failed));
    }
    *out = b;
    return ERR_OK;
}

/* Unlocks, and passes a job's error on to the calling thread. */
static enum err leave(struct job_queue *b)
{
    const enum err e = b->failed;
    if (e)
        err_keep(e, __FILE__, __LINE__, "%s", b->message);
    pthread_mutex_unlock(&b->lock);
    return e;
}

enum err job_queue_add(struct job_queue *b, queued_job *job, void *context)
{
    pthread_mutex_lock(&b->lock);
    while (b->count == JOBS && !b->failed)
        pthread_cond_wait(&b->changed, &b->lock);
    if (!b->failed) {
        b->queue[(b->oldest + b->count) % JOBS] = (struct job){job, context};
        b->count++;
        pthread_cond_broadcast(&b->changed);
    }
    return leave(b);
}

static int has_job(const struct job_queue *b, const void *context)
{
    for (int k = 0; k < b->count; k++)
        if (!context || b->queue[(b->oldest + k) % JOBS].context == context)
            return 1;
    return 0;
}

enum err job_queue_wait(struct job_queue *b, const void *context)
{
    pthread_mutex_lock(&b->lock);
    while (has_job(b, context))
        pthread_cond_wait(&b->changed, &b->lock);
    return leave(b);
}

void job_queue_give_up(struct job_queue *b)
{
    pthread_mutex_lock(&b->lock);
    b->count = b->running;
    while (b->running)
        pthread_cond_wait(&b->changed, &b->lock);
    pthread_mutex_unlock(&b->lock);
}

void job_queue_destroy(struct job_queue **out)
{
    struct job_queue *b = *out;
    *out = NULL;
    if (!b)
        return;
    pthread_mutex_lock(&b->lock);
    b->ending = 1;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    pthread_join(b->thread, NULL);
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->lock);
    free(b);
}
