/* Processes that compile and one that owns the device, connected by pipes. */
#include "experiments/tuner/workers.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <omp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/forked_child.h"
#include "core/compile/nvrtc_api.h"
#include "core/device/cuda_api.h"
#include "core/base/log.h"
#include "core/compile/machine_code.h"
#include "core/compile/nvrtc.h"
#include "core/base/monotonic_time.h"

/* Multiples of the patience: for a compiler, and for a simulation that prepares the stage. */
enum { COMPILE_PATIENCE = 3, STAGE_PATIENCE = 15 };
/* For each trial timed together with others, s. */
static const double trial_patience = 5;

enum { NOBODY = -1 };

/* One process; in shared memory, so that its last message outlives it. */
struct post {
    int trial;    /* its current trial, or NOBODY */
    double began; /* the time at which that began */
    enum err err; /* its final error, if no trial is at fault */
    char message[512];
};

struct workers {
    struct workers_setup setup;
    struct post *post; /* compilers, then the device */
    pid_t pid[MOST_COMPILERS + 1];
    int jobs[2], answers[2], orders[2], replies[2]; /* pipes: reading and writing end */
    int compiling;
    int busy;
    struct order order;
    double looked; /* when the processes were last checked */
};

static int whole_read(int fd, void *to, size_t bytes)
{
    size_t got = 0;
    while (got < bytes) {
        const ssize_t n = read(fd, (char *)to + got, bytes - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        got += (size_t)n;
    }
    return 1;
}

/* At most PIPE_BUF bytes, so that they arrive in one piece. */
static enum err whole_write(int fd, const void *from, size_t bytes)
{
    ssize_t n;
    do
        n = write(fd, from, bytes);
    while (n < 0 && errno == EINTR);
    if (n != (ssize_t)bytes)
        FAIL(MACHINE, "cannot write to a pipe: %s", strerror(errno));
    return ERR_OK;
}

static void last_words(struct post *p, enum err e)
{
    p->err = e;
    snprintf(p->message, sizeof p->message, "%s", err_message());
}

/* The compiler's first line about an error; before it stands our own line, about the kernel. */
static const char *first_message(const char *text)
{
    const char *own = strchr(text, '\n');
    const char *from = own && own[1] ? own + 1 : text, *at = strstr(from, "error");
    while (at && at > from && at[-1] != '\n')
        at--;
    return at ? at : from;
}

static enum err compile(const struct workers *w, struct device *dev, struct trial *t)
{
    const double began = seconds();
    const enum err e = w->setup.backend == CUDA
                           ? nvrtc_compile(&t->recipe, w->setup.target, t->path)
                           : backend_cpu.compile(dev, &t->recipe, t->path);
    if (e == ERR_KERNEL) {
        trial_fail(t, DB_COMPILE, "%s", first_message(err_message()));
        return ERR_OK;
    }
    TRY(e);
    t->compile_ms = 1e3 * (seconds() - began);
    return machine_code_hash(t->path, t->binary);
}

/* Opens the compiler. */
static enum err prepare(const struct workers *w, struct device **dev)
{
    const struct device_options o = {.march = w->setup.device.march, .threads = 1};
    char why[512];
    if (w->setup.backend == CPU)
        return backend_cpu.open(dev, &o);
    if (!nvrtc_api_open(why, sizeof why))
        FAIL(ABSENT, "%s", why);
    return ERR_OK;
}

static void compile_jobs(const struct workers *w, struct post *p)
{
    struct device *dev = NULL;
    int k;
    enum err e = prepare(w, &dev);
    while (!e && whole_read(w->jobs[0], &k, sizeof k)) {
        p->began = seconds();
        __atomic_store_n(&p->trial, k, __ATOMIC_RELEASE);
        e = compile(w, dev, &w->setup.trial[k]);
        __atomic_store_n(&p->trial, NOBODY, __ATOMIC_RELEASE);
        if (!e)
            e = whole_write(w->answers[1], &k, sizeof k);
    }
    last_words(p, e);
}

static enum err admit(struct stage *stage, struct trial *t)
{
    return t->outcome == DB_OK ? stage_admit(stage, t) : ERR_OK;
}

static enum err obey(const struct workers *w, struct stage **stage, const struct order *o,
                     struct post *p)
{
    struct trial *t[MOST_ORDERED];
    for (int k = 0; k < o->count; k++)
        t[k] = &w->setup.trial[o->trial[k]];
    switch (o->what) {
    case ORDER_STAGE:
        stage_destroy(*stage);
        *stage = NULL;
        TRY(stage_create(stage, &w->setup.stage[o->stage]));
        stage_describe(*stage, p->message, sizeof p->message);
        return ERR_OK;
    case ORDER_ADMIT:
        for (int k = 0; k < o->count; k++) {
            p->began = seconds();
            p->trial = o->trial[k];
            TRY(admit(*stage, t[k]));
        }
        return ERR_OK;
    case ORDER_TIME:
        p->trial = o->count == 1 ? o->trial[0] : NOBODY;
        return stage_time(*stage, t, o->count, o->repeats, o->random);
    case ORDER_DROP:
        for (int k = 0; k < o->count; k++)
            stage_drop(*stage, t[k]);
        return ERR_OK;
    }
    return ERR_OK;
}

static void obey_orders(const struct workers *w, struct post *p)
{
    struct stage *stage = NULL;
    struct order o;
    enum err e = ERR_OK;
    const int fine = 0;
    while (!e && whole_read(w->orders[0], &o, sizeof o)) {
        p->began = seconds();
        e = obey(w, &stage, &o, p);
        if (!e) {
            p->trial = NOBODY;
            e = whole_write(w->replies[1], &fine, sizeof fine);
        }
    }
    last_words(p, e);
}

/* With its children: otherwise a compiler would continue to write into the cache, or hang for
 * ever. Each of the processes leads a group of its own. */
static void stop_group(const struct workers *w, int k)
{
    kill(-w->pid[k], SIGKILL);
}

/* Process k: a compiler, or the device process, which is the last one. */
static enum err start(struct workers *w, int k)
{
    const int parent = (int)getpid(), device = k == w->setup.compilers;
    fflush(NULL); /* or the child would print buffered output again */
    w->post[k] = (struct post){.trial = NOBODY};
    w->pid[k] = fork();
    if (w->pid[k] < 0)
        FAIL(MACHINE, "cannot start a process: %s", strerror(errno));
    setpgid(w->pid[k], w->pid[k]); /* by parent and child: either may come first */
    if (w->pid[k] > 0)
        return ERR_OK;
    forked_child_begin(parent);
    close(w->jobs[1]);
    close(w->orders[1]);
    log_quiet(1);
    if (!device)
        omp_set_num_threads(1);
    if (device)
        obey_orders(w, &w->post[k]);
    else
        compile_jobs(w, &w->post[k]);
    _exit(0);
}

static enum err pipes(struct workers *w)
{
    int *const all[] = {w->jobs, w->answers, w->orders, w->replies};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        all[k][0] = all[k][1] = -1;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (pipe2(all[k], O_CLOEXEC))
            FAIL(MACHINE, "cannot make a pipe: %s", strerror(errno));
    return ERR_OK;
}

static size_t post_bytes(const struct workers *w)
{
    return ((size_t)w->setup.compilers + 1) * sizeof *w->post;
}

enum err workers_start(struct workers **out, const struct workers_setup *setup)
{
    enum err e;
    struct workers *w = calloc(1, sizeof *w);
    *out = NULL;
    if (!w)
        FAIL(MEMORY, "no memory for worker processes");
    w->setup = *setup;
    if (w->setup.compilers > MOST_COMPILERS)
        w->setup.compilers = MOST_COMPILERS;
    TRY_OUT(pipes(w));
    w->post = forked_child_share(post_bytes(w));
    if (!w->post) {
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no shared memory for worker processes");
        goto out;
    }
    for (int k = 0; k <= w->setup.compilers; k++)
        TRY_OUT(start(w, k));
    *out = w;
    return ERR_OK;
out:
    workers_stop(w);
    return e;
}

void workers_stop(struct workers *w)
{
    if (!w)
        return;
    for (int k = 0; k <= w->setup.compilers; k++)
        if (w->pid[k] > 0)
            stop_group(w, k);
    for (int k = 0; k <= w->setup.compilers; k++)
        while (w->pid[k] > 0 && waitpid(w->pid[k], NULL, 0) < 0 && errno == EINTR)
            ;
    int *const all[] = {w->jobs, w->answers, w->orders, w->replies};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (int end = 0; end < 2; end++)
            if (all[k][end] >= 0)
                close(all[k][end]);
    forked_child_unshare(w->post, post_bytes(w));
    free(w);
}

enum err workers_compile(struct workers *w, int trial)
{
    TRY(whole_write(w->jobs[1], &trial, sizeof trial));
    w->compiling++;
    return ERR_OK;
}

int workers_compiling(const struct workers *w)
{
    return w->compiling;
}

enum err workers_order(struct workers *w, const struct order *o)
{
    _Static_assert(sizeof *o <= 4096, "an order is written in one piece");
    w->post[w->setup.compilers].began = seconds();
    w->order = *o;
    w->busy = 1;
    return whole_write(w->orders[1], o, sizeof *o);
}

int workers_busy(const struct workers *w)
{
    return w->busy;
}

const char *workers_stage(const struct workers *w)
{
    return w->post[w->setup.compilers].message;
}

/* How long the current order may take, s. An order to admit trials makes progress with each of
 * them. */
static double patience(const struct workers *w)
{
    if (w->order.what == ORDER_STAGE)
        return STAGE_PATIENCE * w->setup.patience;
    return w->setup.patience + (w->order.what == ORDER_TIME ? trial_patience * w->order.count : 0);
}

static double compile_patience(const struct workers *w)
{
    return COMPILE_PATIENCE * w->setup.patience;
}

/* Kills processes that take too long. Returns the one killed, or NOBODY. */
static int lose_patience(struct workers *w)
{
    const double now = seconds();
    for (int k = 0; k < w->setup.compilers; k++) {
        if (__atomic_load_n(&w->post[k].trial, __ATOMIC_ACQUIRE) == NOBODY ||
            now - w->post[k].began < compile_patience(w))
            continue;
        stop_group(w, k);
        return k;
    }
    const int device = w->setup.compilers;
    if (!w->busy || now - w->post[device].began < patience(w))
        return NOBODY;
    stop_group(w, device);
    return device;
}

static void describe_end(int status, char *text, size_t n)
{
    if (WIFSIGNALED(status))
        snprintf(text, n, "the process that did it was killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(text, n, "the process that did it ended with status %d", WEXITSTATUS(status));
}

/* Discards what the device process did not read, or wrote at its end. */
static void drain(int fd)
{
    struct pollfd end = {.fd = fd, .events = POLLIN};
    char rest[PIPE_BUF];
    while (poll(&end, 1, 0) > 0 && (end.revents & POLLIN) && read(fd, rest, sizeof rest) > 0)
        ;
}

/* A process that ended has reported why, or has crashed; then its trial is at fault. Replaces
 * it. */
static enum err bury(struct workers *w, int k, int status, int impatient, struct event *e)
{
    const struct post last = w->post[k];
    const int device = k == w->setup.compilers;
    char end[256];
    describe_end(status, end, sizeof end);
    *e = (struct event){
        .what = device ? EVENT_LOST : EVENT_COMPILED, .trial = last.trial, .patience = impatient};
    if (!device && (last.err || last.trial == NOBODY))
        FAIL(MACHINE, "compiling kernels: %s", last.err ? last.message : end);
    if (device) {
        drain(w->orders[0]);
        drain(w->replies[0]);
    }
    TRY(start(w, k));
    if (impatient)
        snprintf(e->message, sizeof e->message, "it took longer than %.0f s",
                 device ? patience(w) : compile_patience(w));
    else
        snprintf(e->message, sizeof e->message, "%s", last.err ? last.message : end);
    if (device) {
        w->busy = 0;
        return ERR_OK;
    }
    w->compiling--;
    trial_fail(&w->setup.trial[last.trial], DB_COMPILE, "compiling: %s", e->message);
    return ERR_OK;
}

/* Has one of them died? */
static enum err look_after(struct workers *w, struct event *e)
{
    const int ended = lose_patience(w);
    w->looked = seconds();
    for (int k = 0; k <= w->setup.compilers; k++) {
        int status;
        if (waitpid(w->pid[k], &status, k == ended ? 0 : WNOHANG) == w->pid[k])
            return bury(w, k, status, k == ended, e);
    }
    return ERR_OK;
}

enum err workers_wait(struct workers *w, double at_most, struct event *e)
{
    struct pollfd ends[] = {{.fd = w->replies[0], .events = POLLIN},
                            {.fd = w->answers[0], .events = POLLIN}};
    int word;
    *e = (struct event){.what = EVENT_NONE, .trial = NOBODY};
    if (seconds() - w->looked > at_most) { /* even if there is always something to read */
        TRY(look_after(w, e));
        if (e->what != EVENT_NONE)
            return ERR_OK;
    }
    if (poll(ends, 2, (int)(1e3 * at_most)) < 0 && errno != EINTR)
        FAIL(MACHINE, "cannot wait for worker processes: %s", strerror(errno));
    if ((ends[0].revents & POLLIN) && whole_read(w->replies[0], &word, sizeof word)) {
        w->busy = 0;
        e->what = EVENT_DONE;
        return ERR_OK;
    }
    if ((ends[1].revents & POLLIN) && whole_read(w->answers[0], &word, sizeof word)) {
        w->compiling--;
        e->what = EVENT_COMPILED;
        e->trial = word;
        return ERR_OK;
    }
    return look_after(w, e);
}
