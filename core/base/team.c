/* A team of threads. */
#include "core/base/team.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/monotonic_time.h"
#include "core/base/thread.h"

/* Polls this often before a thread goes to sleep, if each has a core of its own. */
enum { LOOKS = 4000, MESSAGE = 4096 };

struct team {
    int members, looks, started;
    int by_owner; /* the thread that waits in team_do makes decisions */
    struct member *member;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* With the lock held: */
    team_work *work; /* null between two jobs */
    void *context;
    unsigned long piece; /* counts jobs */
    int busy, ending;
    enum err error; /* the worst error of this job so far, its member and its message */
    int worst;
    char message[MESSAGE];
    /* Meetings of a job; written with the lock held. */
    atomic_int arrived;
    atomic_uint meeting;
    atomic_int ended;       /* members that have finished this job */
    atomic_uintptr_t doors; /* the sum of the decisions that arrived members came for */
    atomic_int broken;      /* a member has ended and will not come */
    team_decision *wanted;  /* with the lock held by the owner */
    void *of;
    void (*watch)(void *context); /* called every so many seconds with the lock held; or null */
    void *watched;
    double every;
};

struct member {
    struct team *team;
    int number;
    pthread_t thread;
};

static void note_error(struct team *t, int member, enum err e, const char *message)
{
    if (t->error && (err_status(t->error) > err_status(e) ||
                     (err_status(t->error) == err_status(e) && t->worst <= member)))
        return;
    t->error = e;
    t->worst = member;
    snprintf(t->message, sizeof t->message, "%s", message);
}

/* With the lock held. */
static void break_up(struct team *t, const char *why)
{
    char message[MESSAGE];
    snprintf(message, sizeof message, "%s: a bug in this program", why);
    note_error(t, -1, ERR_MACHINE, message);
    atomic_store(&t->broken, 1);
}

/* An ended member comes to no more meetings: the others would wait for ever. With the lock held. */
static void look_for_lonely(struct team *t)
{
    if (atomic_load(&t->ended) > 0 && atomic_load(&t->arrived) > 0 && !atomic_load(&t->broken))
        break_up(t, "a thread waits for one that has ended: they do not meet equally often");
}

/* Called with the lock held, and returns with it held. The team's state tells members that failed
 * because another one did. */
static void do_piece(struct team *t, int member)
{
    team_work *const work = t->work;
    void *const context = t->context;
    pthread_mutex_unlock(&t->lock);
    const enum err e = work(context, member);
    pthread_mutex_lock(&t->lock);
    if (e && !(atomic_load(&t->broken) && e == t->error))
        note_error(t, member, e, err_message());
    if (e)
        atomic_store(&t->broken, 1);
    t->busy--;
    atomic_fetch_add(&t->ended, 1);
    look_for_lonely(t);
    pthread_cond_broadcast(&t->changed);
}

static void *serve(void *context)
{
    const struct member *m = context;
    struct team *t = m->team;
    unsigned long done = 0;
    pthread_mutex_lock(&t->lock);
    while (!t->ending) {
        if (t->piece > done) {
            done = t->piece;
            do_piece(t, m->number);
        } else {
            pthread_cond_wait(&t->changed, &t->lock);
        }
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

static enum err start(struct team *t)
{
    for (; t->started < t->members; t->started++) {
        struct member *m = &t->member[t->started];
        *m = (struct member){.team = t, .number = t->started};
        const int failed = thread_start(&m->thread, serve, m);
        if (failed)
            FAIL(MACHINE, "no thread can be started for part %d of %d: %s", t->started + 1,
                 t->members, strerror(failed));
    }
    return ERR_OK;
}

enum err team_create(struct team **out, int members)
{
    struct team *t = calloc(1, sizeof *t);
    if (!t)
        FAIL(MEMORY, "no memory for a team of threads");
    t->members = members;
    t->looks = members <= sysconf(_SC_NPROCESSORS_ONLN) ? LOOKS : 0;
    t->member = calloc((size_t)members, sizeof *t->member);
    pthread_mutex_init(&t->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&t->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    const enum err e = t->member ? start(t)
                                 : err_set(ERR_MEMORY, __FILE__, __LINE__,
                                           "no memory for a team of %d threads", members);
    if (e)
        team_destroy(t);
    else
        *out = t;
    return e;
}

void team_decide_by_owner(struct team *t)
{
    t->by_owner = 1;
}

void team_watch(struct team *t, void (*watch)(void *context), void *context, double every)
{
    t->watch = watch;
    t->watched = context;
    t->every = every;
}

void team_destroy(struct team *t)
{
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    t->ending = 1;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
    for (int k = 0; k < t->started; k++)
        pthread_join(t->member[k].thread, NULL);
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->lock);
    free(t->member);
    free(t);
}

/* Makes the decision and releases all members. With the lock held. */
static void conclude(struct team *t, team_decision *decide, void *context)
{
    const enum err e = decide ? decide(context) : ERR_OK;
    t->wanted = NULL;
    if (e) {
        note_error(t, -1, e, err_message());
        atomic_store(&t->broken, 1);
    }
    atomic_store(&t->arrived, 0);
    atomic_store(&t->doors, 0);
    atomic_fetch_add(&t->meeting, 1);
    pthread_cond_broadcast(&t->changed);
}

/* Waits for a change, or until it is time to watch. With the lock held. */
static void wait_for_change(struct team *t, double *next)
{
    if (!t->watch) {
        pthread_cond_wait(&t->changed, &t->lock);
        return;
    }
    const struct timespec until = {(time_t)*next, (long)(1e9 * (*next - (double)(time_t)*next))};
    if (seconds() < *next)
        pthread_cond_timedwait(&t->changed, &t->lock, &until);
    if (seconds() < *next)
        return;
    t->watch(t->watched);
    *next = seconds() + t->every;
}

enum err team_do(struct team *t, team_work *work, void *context)
{
    pthread_mutex_lock(&t->lock);
    t->work = work;
    t->context = context;
    t->error = ERR_OK;
    t->busy = t->members;
    t->wanted = NULL;
    atomic_store(&t->arrived, 0);
    atomic_store(&t->doors, 0);
    atomic_store(&t->ended, 0);
    atomic_store(&t->broken, 0);
    t->piece++;
    pthread_cond_broadcast(&t->changed);
    double next = seconds() + t->every;
    while (t->busy > 0) {
        if (t->wanted)
            conclude(t, t->wanted, t->of);
        else
            wait_for_change(t, &next);
    }
    const enum err e = t->error;
    pthread_mutex_unlock(&t->lock);
    return e ? err_set(e, __FILE__, __LINE__, "%s", t->message) : ERR_OK;
}

/* With the lock held. */
static void arrive_last(struct team *t, team_decision *decide, void *context)
{
    if (atomic_load(&t->doors) != (uintptr_t)t->members * (uintptr_t)decide) {
        break_up(t, "threads meet for different decisions");
    } else if (!t->by_owner || !decide) {
        conclude(t, decide, context);
        return;
    } else {
        t->wanted = decide;
        t->of = context;
    }
}

static void arrive(struct team *t, team_decision *decide, void *context)
{
    atomic_fetch_add(&t->doors, (uintptr_t)decide);
    const int last = atomic_fetch_add(&t->arrived, 1) + 1 == t->members;
    if (!last && !atomic_load(&t->ended))
        return;
    pthread_mutex_lock(&t->lock);
    if (last)
        arrive_last(t, decide, context);
    else
        look_for_lonely(t);
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
}

static int is_over(const struct team *t, unsigned meeting)
{
    return atomic_load(&t->meeting) != meeting || atomic_load(&t->broken);
}

enum err team_meet(struct team *t, team_decision *decide, void *context)
{
    const unsigned meeting = atomic_load(&t->meeting);
    arrive(t, decide, context);
    for (int k = 0; k < t->looks && !is_over(t, meeting); k++)
        ;
    if (!is_over(t, meeting)) {
        pthread_mutex_lock(&t->lock);
        while (!is_over(t, meeting))
            pthread_cond_wait(&t->changed, &t->lock);
        pthread_mutex_unlock(&t->lock);
    }
    if (!atomic_load(&t->broken))
        return ERR_OK;
    pthread_mutex_lock(&t->lock);
    const enum err e = err_set(t->error, __FILE__, __LINE__, "%s", t->message);
    pthread_mutex_unlock(&t->lock);
    return e;
}
