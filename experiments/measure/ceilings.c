/* Measures the ceilings of a device with kernels/ceilings.cu. */
#include "experiments/measure/ceilings.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/device/cupti.h"
#include "core/base/log.h"
#include "core/registry/registry.h"
#include "core/base/monotonic_time.h"
#include "core/base/sorted.h"
#include "kernels/ceilings.h"

enum { LAUNCHES = 12, WARM_UP = 2, MOST_COMPUTED = 1 << 21 };

/* The launcher of simulations, without a simulation. */
struct bench {
    struct sim *s;
    struct sim_kernel kernel;
    void *from, *to;
    const char *method;
};

static enum err load(struct bench *b, const char *name, enum precision p)
{
    const struct backend *backend = b->s->backend;
    struct recipe *r = &b->kernel.recipe;
    char path[PATH_LENGTH];
    const enum backend_kind kind = backend == backends[CUDA] ? CUDA : CPU;
    *r = (struct recipe){
        .kernel = find_kernel(name), .precision = p, .mode = FAST_MODE, .on_cpu = kind == CPU};
    r->block = r->kernel->block[kind];
    TRY(backend->compile(b->s->device, r, path));
    return backend->load(b->s->device, r, path, &b->kernel.loaded);
}

/* Each launch is between two marks, and waits for the second. */
static enum err launch_all(struct bench *b, struct ceiling_args *a, double us[LAUNCHES])
{
    for (int k = 0; k < LAUNCHES; k++) {
        b->kernel.seconds = 0;
        TRY(sim_launch(b->s, &b->kernel, a, sizeof *a));
        us[k] = 1e6 * b->kernel.seconds;
    }
    return ERR_OK;
}

/* The device's own times instead, if CUPTI has them. */
static enum err time_launches(struct bench *b, struct ceiling_args *a, double us[LAUNCHES])
{
    struct cupti_launches all = {0};
    char why[1024];
    const int gpu = b->s->backend == backends[CUDA];
    const int begun = gpu && cupti_begin(why, sizeof why);
    const enum err e = launch_all(b, a, us);
    const int told =
        begun && cupti_end(&all, why, sizeof why) && all.dropped == 0 && all.count == LAUNCHES;
    b->method = told ? "cupti" : gpu ? "events" : "clock";
    for (int k = 0; told && k < LAUNCHES; k++)
        us[k] = 1e-3 * (double)(all.at[k].end - all.at[k].start);
    cupti_free(&all);
    return e;
}

/* The first launches load code and data. */
static enum err fastest(struct bench *b, const char *name, enum precision p, int cells, double *us)
{
    /* The fixed point of x m + c. */
    struct ceiling_args a = {
        .span = {cells, 1}, .from = b->from, .to = b->to, .p = {.theta = 0.5, .kappa4 = 0.25}};
    double each[LAUNCHES];
    enum err e = load(b, name, p);
    if (!e)
        e = time_launches(b, &a, each);
    b->s->backend->unload(b->s->device, b->kernel.loaded);
    b->kernel.loaded = NULL;
    *us = (double)INFINITY;
    for (int k = WARM_UP; k < LAUNCHES && !e; k++)
        *us = fmin(*us, each[k]);
    return e;
}

static enum err measure_both(struct bench *b, enum precision p, size_t bytes, struct ceilings *c)
{
    const struct backend *backend = b->s->backend;
    const double size = (double)precision_size(p);
    const double reals = (double)bytes / size;
    const int copied = (int)fmin(reals / CEILING_REALS, INT_MAX);
    const int computed = (int)fmin(reals, MOST_COMPUTED);
    if (copied < 1)
        FAIL(INPUT, "%zu bytes are too few to measure a copy with", bytes);
    TRY(backend->alloc(b->s->device, bytes, &b->from));
    TRY(backend->alloc(b->s->device, bytes, &b->to));
    TRY(backend->fill(b->s->device, b->from, 0, bytes));
    TRY(backend->fill(b->s->device, b->to, 0, bytes));
    TRY(fastest(b, "ceiling_copy", p, copied, &c->copy_us));
    TRY(fastest(b, "ceiling_fma", p, computed, &c->fma_us));
    c->copy_bytes = 2 * (double)CEILING_REALS * copied * size;
    c->fma_operations = (double)CEILING_OPERATIONS * computed;
    log_info("ceilings, by %s: %.1f GB/s, %.1f x 10^9 operations/s", b->method,
             c->copy_bytes / c->copy_us / 1e3, c->fma_operations / c->fma_us / 1e3);
    return ERR_OK;
}

static enum err open_bench(struct bench *b, const struct measure *m)
{
    const struct device_options o = {
        .device = m->setup.device, .threads = m->setup.threads, .march = "native"};
    *b = (struct bench){.s = calloc(1, sizeof *b->s)};
    if (!b->s)
        FAIL(MEMORY, "no memory to measure the device's ceilings");
    b->s->backend = backends[m->setup.backend];
    return b->s->backend->open(&b->s->device, &o);
}

static void close_bench(struct bench *b)
{
    if (b->s && b->s->device) {
        const struct backend *backend = b->s->backend;
        backend->unload(b->s->device, b->kernel.loaded);
        backend->release(b->s->device, b->from);
        backend->release(b->s->device, b->to);
        backend->close(b->s->device);
    }
    free(b->s);
}

enum err ceilings_measure(const struct measure *m, enum precision p, size_t bytes,
                          struct ceilings *c)
{
    struct bench b;
    enum err e = open_bench(&b, m);
    if (!e) {
        b.s->profiling = 1;
        e = measure_both(&b, p, bytes, c);
    }
    close_bench(&b);
    return e;
}

enum { IN_A_ROW = 500, ROWS = 5, WAITS = 201 };

static enum err launch_many(struct bench *b, struct clock_args *a, int count, double *us)
{
    const double began = seconds();
    for (int k = 0; k < count; k++)
        TRY(sim_launch(b->s, &b->kernel, a, sizeof *a));
    TRY(b->s->backend->sync(b->s->device));
    *us = 1e6 * (seconds() - began) / count;
    return ERR_OK;
}

/* A clock that has been halted: kernels that see it return at once. */
static enum err time_starts(struct bench *b, struct launch_times *t)
{
    const struct backend *backend = b->s->backend;
    const struct clock halted = {.halt = AT_END};
    /* Enough cells for a CPU to distribute over its threads. */
    const int cells = backend == backends[CUDA] ? 1 : 1 << 16;
    double us, each[WAITS];
    TRY(load(b, "clock", F32));
    TRY(backend->alloc(b->s->device, sizeof halted, &b->to));
    TRY(backend->upload(b->s->device, b->to, &halted, sizeof halted));
    struct clock_args a = {.span = {cells, 1}, .clock = b->to};
    TRY(launch_many(b, &a, IN_A_ROW, &us)); /* the first launches load code */
    t->launch_us = (double)INFINITY;
    for (int k = 0; k < ROWS; k++) {
        TRY(launch_many(b, &a, IN_A_ROW, &us));
        t->launch_us = fmin(t->launch_us, us);
    }
    for (int k = 0; k < WAITS; k++)
        TRY(launch_many(b, &a, 1, &each[k]));
    t->wait_us = sorted_median(each, WAITS);
    return ERR_OK;
}

enum err ceilings_launches(const struct measure *m, struct launch_times *t)
{
    struct bench b;
    enum err e = open_bench(&b, m);
    if (!e)
        e = time_starts(&b, t);
    close_bench(&b);
    return e;
}

enum err ceilings_enter(const struct measure *m, const struct point *p, int ny,
                        const struct ceilings *c)
{
    const double none = (double)NAN;
    const struct counted_kernel copy = {"ceiling-copy", c->copy_us, c->copy_bytes, none,
                                        none,           none,       none};
    const struct counted_kernel fma = {"ceiling-fma", c->fma_us, none, c->fma_operations,
                                       none,          none,      none};
    TRY(counted_enter(m, p, ny, &copy));
    return counted_enter(m, p, ny, &fma);
}

enum err counted_enter(const struct measure *m, const struct point *p, int ny,
                       const struct counted_kernel *k)
{
    struct cells c = {.used = 0};
    cells_number(&c, "%.3f", k->us);
    cells_number(&c, "%.0f", k->dram_bytes);
    cells_number(&c, "%.0f", k->operations);
    cells_number(&c, "%.2f", k->pct_sm);
    cells_number(&c, "%.2f", k->pct_dram);
    cells_number(&c, "%.0f", k->instructions);
    return measure_enter(m, p, ny, k->name, &c);
}
