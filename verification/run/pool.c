/* Worker processes: each takes the next job that is ready, until none is left. Processes, not
 * threads: a crash ends only one job, and a signal ends them all. */
#include "verification/run/pool.h"

#include <errno.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/forked_child.h"
#include "core/base/log.h"
#include "core/base/monotonic_time.h"
#include "core/base/signals.h"
#include "core/device/backend.h"
#include "verification/run/case_sim.h"

enum { MOMENT = 10000 }; /* microseconds between polls */

/* A simulation that is ready to step has compiled its kernels. */
static enum err compile(const struct run *r)
{
    static struct case_sim s;
    variant_configure(&s.config, &r->variant);
    s.config.nx = r->n;
    const enum err e = case_sim_open(&s, r->flow_case);
    case_sim_close(&s);
    return e;
}

static enum err execute(const struct job *t, const char *folder, struct job_outcome *o)
{
    const struct reference *r;
    switch (t->kind) {
    case JOB_COMPILE:
        return compile(&t->run);
    case JOB_REFERENCE:
        r = t->run.flow_case->verify->reference;
        return r->compute(r->of, r->table);
    case JOB_RUN:
        return run_measure(&t->run, t->sweep ? NULL : folder, &o->measured);
    case JOB_INVARIANT:
        return invariant_measure(t->invariant, &t->run.variant, (int)t->effort, &o->findings);
    case JOB_WORK:
        return t->work(t, o->told);
    }
    return ERR_OK;
}

/* 1: ready; 0: later; -1: never, because a job that it needs failed. */
static int ready(const struct plan *p, struct job_outcome *o, int k)
{
    for (int n = 0; n < 2; n++) {
        const int needed = p->job[k].needs[n];
        if (needed < 0)
            continue;
        if (__atomic_load_n(&o[needed].state, __ATOMIC_ACQUIRE) != DONE)
            return 0;
        if (o[needed].err) {
            o[k].err = o[needed].err;
            memcpy(o[k].message, o[needed].message, sizeof o[k].message);
            return -1;
        }
    }
    return 1;
}

/* A worker claims a job by storing its pid. */
static int take_outcome(struct job_outcome *o)
{
    int nobody = 0;
    if (!__atomic_compare_exchange_n(&o->worker, &nobody, (int)getpid(), 0, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE))
        return 0;
    o->began = seconds();
    __atomic_store_n(&o->state, UNDER_WAY, __ATOMIC_RELEASE);
    return 1;
}

static void finish(struct job_outcome *o, enum err e)
{
    o->err = e;
    o->seconds = seconds() - o->began;
    if (e)
        snprintf(o->message, sizeof o->message, "%s", err_message());
    __atomic_store_n(&o->state, DONE, __ATOMIC_RELEASE);
}

/* Claims the first job in `order` that is ready. False if there is none left to wait for. */
static int work(const struct plan *p, const int *order, struct job_outcome *o, const char *folder)
{
    int left = 0;
    for (int n = 0; n < p->count; n++) {
        const int k = order[n];
        if (__atomic_load_n(&o[k].state, __ATOMIC_ACQUIRE) != WAITING)
            continue;
        left = 1;
        if (ready(p, o, k) == 0 || !take_outcome(&o[k]))
            continue;
        if (ready(p, o, k) < 0)
            __atomic_store_n(&o[k].state, DONE, __ATOMIC_RELEASE);
        else
            finish(&o[k], execute(&p->job[k], folder, &o[k]));
        return 1;
    }
    if (left)
        usleep(MOMENT);
    return left;
}

static int start_worker(const struct plan *p, const int *order, struct job_outcome *o,
                        const char *folder)
{
    const pid_t parent = getpid(), child = fork();
    if (child != 0)
        return (int)child;
    forked_child_begin((int)parent);
    log_quiet(2);
    omp_set_num_threads(1);
    cuda_keep_contexts();
    while (work(p, order, o, folder))
        ;
    _exit(0);
}

static const struct plan *ordered; /* for qsort */

static int costlier(const void *a, const void *b)
{
    const double x = ordered->job[*(const int *)a].cost, y = ordered->job[*(const int *)b].cost;
    return x > y ? -1 : x < y ? 1 : *(const int *)a - *(const int *)b;
}

static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
    stopped = number;
}

/* A wrong kernel may accelerate a flow without limit, with ever shorter steps: the run neither
 * ends nor breaks down. Far longer than any job takes on a slow machine, s. */
static double patience(const struct plan *p)
{
    static const double most[] = {[QUICK] = 120, [USUAL] = 1800, [FULL] = 14400};
    return most[p->asked.effort];
}

/* Kills workers whose job takes too long. */
static void lose_patience(const struct plan *p, const struct job_outcome *o)
{
    const double now = seconds();
    for (int k = 0; k < p->count; k++)
        if (__atomic_load_n(&o[k].state, __ATOMIC_ACQUIRE) == UNDER_WAY &&
            now - o[k].began > patience(p))
            kill(o[k].worker, SIGKILL);
}

struct workers {
    int count;
    int pid[MOST_WORKERS];
};

/* Reaps workers that ended. The jobs of those that died have failed. Returns how many died. */
static int reap(const struct plan *p, struct job_outcome *o, struct workers *w)
{
    int status, died = 0;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
        for (int k = 0; k < w->count; k++)
            if (w->pid[k] == (int)pid)
                w->pid[k] = w->pid[--w->count];
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            continue;
        died++;
        for (int k = 0; k < p->count; k++) {
            if (o[k].worker != (int)pid || o[k].state == DONE)
                continue;
            if (seconds() - o[k].began > patience(p))
                err_keep(ERR_MACHINE, __FILE__, __LINE__, "it was killed after %.0f s",
                         patience(p));
            else
                err_keep(ERR_MACHINE, __FILE__, __LINE__, "the process that computed it %s %d",
                         WIFSIGNALED(status) ? "was killed by signal" : "ended with status",
                         WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
            finish(&o[k], ERR_MACHINE);
        }
    }
    return died;
}

/* The callback for finished jobs, and the jobs for which it has been called. */
struct telling {
    void (*done)(void *context, int job);
    void *context;
    char *told;
};

/* True if all jobs have ended. */
static int tell(const struct plan *p, const struct job_outcome *o, struct telling *t)
{
    int left = 0;
    for (int k = 0; k < p->count; k++) {
        if (t->told[k])
            continue;
        if (__atomic_load_n(&o[k].state, __ATOMIC_ACQUIRE) == DONE) {
            t->told[k] = 1;
            t->done(t->context, k);
        } else {
            left++;
        }
    }
    t->done(t->context, -1);
    return left == 0;
}

static void stop(struct workers *w)
{
    for (int k = 0; k < w->count; k++)
        kill(w->pid[k], SIGKILL);
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
        ;
}

static enum err share_references(const struct plan *p)
{
    for (int k = 0; k < p->count; k++) {
        if (p->job[k].kind != JOB_REFERENCE)
            continue;
        struct reference *r = p->job[k].run.flow_case->verify->reference;
        r->table = forked_child_share(r->doubles * sizeof(double));
        if (!r->table)
            FAIL(MEMORY, "no memory for the reference of %s", p->job[k].run.flow_case->name);
    }
    return ERR_OK;
}

static void unshare_references(const struct plan *p)
{
    for (int k = 0; k < p->count; k++) {
        if (p->job[k].kind != JOB_REFERENCE)
            continue;
        struct reference *r = p->job[k].run.flow_case->verify->reference;
        forked_child_unshare(r->table, r->doubles * sizeof(double));
        r->table = NULL;
    }
}

/* Workers compute until no job is left or a signal comes. A dead one is replaced: as each death
 * fails a job, this terminates. */
static enum err supervise(const struct plan *p, const int *order, struct job_outcome *o,
                          int workers, const char *folder, struct telling *t)
{
    struct workers w = {0};
    int wanted = workers < MOST_WORKERS ? workers : MOST_WORKERS;
    for (;;) {
        for (; wanted > 0; wanted--) {
            const int pid = start_worker(p, order, o, folder);
            if (pid < 0) {
                stop(&w);
                FAIL(MACHINE, "cannot start a worker process: %s", strerror(errno));
            }
            w.pid[w.count++] = pid;
        }
        usleep(MOMENT);
        lose_patience(p, o);
        wanted = reap(p, o, &w);
        if (stopped) {
            stop(&w);
            FAIL(STOPPED, "stopped by a signal");
        }
        if (tell(p, o, t)) {
            stop(&w);
            return ERR_OK;
        }
    }
}

enum err pool_run(const struct plan *p, struct job_outcome *outcome, int workers,
                  const char *folder, void (*done)(void *context, int job), void *context)
{
    enum err e = ERR_OK;
    int *order = calloc((size_t)p->count, sizeof *order);
    struct telling t = {done, context, calloc((size_t)p->count, 1)};
    if (!order || !t.told) {
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for %d jobs", p->count);
        goto out;
    }
    TRY_OUT(share_references(p));
    for (int k = 0; k < p->count; k++)
        order[k] = k;
    ordered = p;
    qsort(order, (size_t)p->count, sizeof *order, costlier);
    signals_catch(on_signal, 0);
    fflush(NULL); /* or workers would print buffered output again */
    TRY_OUT(supervise(p, order, outcome, workers, folder, &t));
out:
    unshare_references(p);
    free(order);
    free(t.told);
    return e;
}
