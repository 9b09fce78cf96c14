/* Timing: rounds of launches in random order, the fixed kernel between them, and the device's state. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device/cupti.h"
#include "core/base/log.h"
#include "core/device/nvml.h"
#include "core/base/monotonic_time.h"
#include "core/base/sorted.h"
#include "core/base/random.h"
#include "experiments/tuner/stage_parts.h"

enum { SENTINEL = -1, SENTINELS = 3, ATTEMPTS = 2 };

/* Launches in order: one untimed launch of each trial and of the fixed kernel, then all timed
 * ones. */
struct round {
    struct stage *s;
    struct trial *const *trials;
    int count, repeats;
    int uncounted, launches;
    int *order; /* numbers of trials, or SENTINEL */
    double *us;
    struct nvml_state before, after;
    int state_known;
};

static void shuffle(int *order, int n, unsigned *random)
{
    for (int k = n - 1; k > 0; k--) {
        const int other = (int)(xorshift(random) % ((unsigned)k + 1));
        const int kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
}

static enum err plan(struct round *r, unsigned random)
{
    const int timed = r->count * r->repeats;
    unsigned x = random ? random : 1;
    int *all = calloc((size_t)timed, sizeof *all), n = 0;
    r->launches = r->count + 1 + timed + SENTINELS;
    r->order = malloc((size_t)r->launches * sizeof *r->order);
    r->us = calloc((size_t)r->launches, sizeof *r->us);
    if (!all || !r->order || !r->us) {
        free(all);
        FAIL(MEMORY, "no memory for %d timings", r->launches);
    }
    for (int k = 0; k < timed; k++)
        all[k] = k % r->count;
    shuffle(all, timed, &x);
    for (int k = 0; k < r->count; k++)
        r->order[n++] = k;
    r->order[n++] = SENTINEL;
    r->uncounted = n;
    r->order[n++] = SENTINEL;
    for (int k = 0; k < timed; k++) {
        if (k == timed / 2)
            r->order[n++] = SENTINEL;
        r->order[n++] = all[k];
    }
    r->order[n++] = SENTINEL;
    free(all);
    return ERR_OK;
}

static enum err launch(struct round *r, int number)
{
    struct stage *s = r->s;
    if (number == SENTINEL) /* two constant fields */
        return stage_compare_launch(s, s->capture[0].copy[0], s->capture[0].copy[1]);
    return stage_launch(s, s->slot[r->trials[number]->loaded - 1], &s->got);
}

static struct sim_kernel *kernel_of(const struct round *r, int number)
{
    return number == SENTINEL ? &r->s->compare : &r->s->slot[r->trials[number]->loaded - 1]->kernel;
}

static void read_state(struct round *r, struct nvml_state *state)
{
    const struct sim *sim = r->s->sim;
    char why[512];
    const int known = nvml_read(sim->backend->info(sim->device)->bus, state, why, sizeof why);
    r->state_known = known && (r->state_known || state == &r->before);
}

/* Enqueues launches from..to-1 and waits for them. */
static enum err launch_some(struct round *r, int from, int to)
{
    const struct sim *sim = r->s->sim;
    for (int k = from; k < to; k++)
        TRY(launch(r, r->order[k]));
    return sim->backend->sync(sim->device);
}

static enum err launch_all(struct round *r)
{
    TRY(launch_some(r, 0, r->uncounted));
    read_state(r, &r->before); /* clocks have risen by now */
    TRY(launch_some(r, r->uncounted, r->launches));
    read_state(r, &r->after);
    return ERR_OK;
}

/* Launches are identified by their order, see core/sim/step_profile.c. */
static enum err time_by_cupti(struct round *r, int *told, char *why, size_t n)
{
    struct cupti_launches all;
    *told = 0;
    if (!cupti_begin(why, n))
        return ERR_OK;
    const enum err e = launch_all(r);
    if (!cupti_end(&all, why, n))
        return e;
    *told = !e && all.dropped == 0 && all.count == (size_t)r->launches;
    if (!e && !*told)
        snprintf(why, n, "CUPTI recorded %zu of %d launches and dropped %zu", all.count,
                 r->launches, all.dropped);
    for (int k = 0; k < r->launches && *told; k++)
        r->us[k] = 1e-3 * (double)(all.at[k].end - all.at[k].start);
    cupti_free(&all);
    return e;
}

/* Waits for every launch between two marks of the backend. */
static enum err time_by_marks(struct round *r)
{
    struct sim *sim = r->s->sim;
    enum err e = ERR_OK;
    sim->profiling = 1;
    for (int k = 0; k < r->launches && !e; k++) {
        struct sim_kernel *const kernel = kernel_of(r, r->order[k]);
        if (k == r->uncounted)
            read_state(r, &r->before);
        kernel->seconds = 0;
        e = launch(r, r->order[k]);
        r->us[k] = 1e6 * kernel->seconds;
    }
    sim->profiling = 0;
    read_state(r, &r->after);
    return e;
}

/* The first round determines the method: times by different methods are not comparable. */
static enum err time_launches(struct round *r)
{
    struct stage *s = r->s;
    char why[1024] = "";
    int told = 0;
    if (s->sim->backend == &backend_cpu)
        s->method = "clock";
    for (int k = 0; k < ATTEMPTS && !told && (!s->method || strcmp(s->method, "cupti") == 0); k++)
        TRY(time_by_cupti(r, &told, why, sizeof why));
    if (told) {
        s->method = "cupti";
        return ERR_OK;
    }
    if (s->method && strcmp(s->method, "cupti") == 0)
        FAIL(MACHINE, "%s, and told earlier times well: try again", why);
    if (!s->method) {
        log_warning("kernels are timed by events, which is less accurate: %s", why);
        s->method = "events";
    }
    return time_by_marks(r);
}

static double mean_of(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : (a + b) / 2;
}

static void note_state(const struct round *r, struct trial *t)
{
    if (!r->state_known)
        return;
    t->clock_mhz = mean_of(r->before.sm_mhz, r->after.sm_mhz);
    t->memory_mhz = mean_of(r->before.memory_mhz, r->after.memory_mhz);
    t->celsius = mean_of(r->before.celsius, r->after.celsius);
    if (r->before.reasons_known && r->after.reasons_known) {
        const unsigned long long seen = isnan(t->throttle) ? 0 : (unsigned long long)t->throttle;
        t->throttle = (double)(seen | r->before.reasons | r->after.reasons);
    }
}

/* Gives every trial its times, and its share of the round's cost. */
static void share_out(const struct round *r, double wall_ms)
{
    double sentinel[SENTINELS] = {0}, total = 0;
    int n = 0;
    for (int k = 0; k < r->launches; k++)
        total += 1e-3 * r->us[k];
    const double rest = fmax(0, wall_ms - total) / r->count;
    for (int k = 0; k < r->count; k++) {
        struct trial *t = r->trials[k];
        snprintf(t->method, sizeof t->method, "%s", r->s->method);
        t->measure_ms = (isnan(t->measure_ms) ? 0 : t->measure_ms) + rest;
        note_state(r, t);
    }
    for (int k = 0; k < r->launches; k++) {
        if (r->order[k] == SENTINEL) {
            if (k >= r->uncounted)
                sentinel[n++] = r->us[k];
            continue;
        }
        struct trial *t = r->trials[r->order[k]];
        t->measure_ms += 1e-3 * r->us[k];
        if (k >= r->uncounted)
            t->us[t->timings++] = (float)r->us[k];
    }
    const double median = sorted_median(sentinel, SENTINELS);
    for (int k = 0; k < r->count; k++)
        r->trials[k]->sentinel_us = median;
}

static enum err check(const struct round *r)
{
    for (int k = 0; k < r->count; k++) {
        const struct trial *t = r->trials[k];
        if (t->loaded < 1 || t->loaded > MOST_LOADED || !r->s->slot[t->loaded - 1])
            FAIL(CHECK, "cannot time %s %dx%d: it was not admitted", t->recipe.kernel->name,
                 t->recipe.block.w, t->recipe.block.h);
        if (t->timings + r->repeats > MOST_TIMINGS)
            FAIL(CHECK, "cannot time %s %dx%d more than %d times", t->recipe.kernel->name,
                 t->recipe.block.w, t->recipe.block.h, MOST_TIMINGS);
    }
    return ERR_OK;
}

enum err stage_time(struct stage *s, struct trial *const trials[], int count, int repeats,
                    unsigned random)
{
    struct round r = {.s = s, .trials = trials, .count = count, .repeats = repeats};
    const double began = seconds();
    enum err e = ERR_OK;
    if (count < 1 || repeats < 1)
        return ERR_OK;
    TRY(check(&r));
    TRY_OUT(plan(&r, random));
    TRY_OUT(time_launches(&r));
    share_out(&r, 1e3 * (seconds() - began));
out:
    free(r.order);
    free(r.us);
    return e;
}

/* Threads that migrate between cores find cold caches. */
void stage_bind(struct stage *s)
{
    const struct sim *sim = s->sim;
    if (sim->backend != &backend_cpu || sched_getaffinity(0, sizeof s->cpus, &s->cpus))
        return;
    const size_t cores = (size_t)CPU_COUNT(&s->cpus);
    s->bound = 1;
#pragma omp parallel num_threads(sim->backend->info(sim->device)->units)
    {
        size_t left = (size_t)omp_get_thread_num() % cores, core = 0;
        cpu_set_t one;
        while (!CPU_ISSET(core, &s->cpus) || left-- > 0)
            core++;
        CPU_ZERO(&one);
        CPU_SET(core, &one);
        sched_setaffinity(0, sizeof one, &one);
    }
}

/* The next stage counts this process's cores again. */
void stage_unbind(struct stage *s)
{
    if (!s->bound)
        return;
#pragma omp parallel num_threads(s->sim->backend->info(s->sim->device)->units)
    sched_setaffinity(0, sizeof s->cpus, &s->cpus);
}
