/* Running a simulation: steps are enqueued in batches, the device keeps the clock, and the host
 * looks at a copy of it one batch late. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/initial.h"
#include "core/sim.h"

enum { IN_FLIGHT = 2, MOST_STEPS = 2000 };
static const double BATCH_SECONDS = 0.03;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Steps to enqueue next: as many as take BATCH_SECONDS, but not far beyond the pause. */
static long batch(const struct sim *s, double t_stop, double per_step, long under_way)
{
    double n = per_step > 0 ? BATCH_SECONDS / per_step : 1;
    double left = (double)(s->now.step_limit - s->now.steps);
    if (s->now.dt > 0)
        left = fmin(left, ceil((t_stop - s->now.t) / s->now.dt * 1.02) + 1);
    n = fmin(n, left - (double)under_way);
    return n < 1 ? 1 : n > MOST_STEPS ? MOST_STEPS : (long)n;
}

static enum err enqueue(struct sim *s, long steps)
{
    for (long k = 0; k < steps; k++)
        TRY(s->scheme->step(s));
    return s->backend->peek(s->device, s->clock, sizeof s->now);
}

static enum err resume(struct sim *s, double t_pause)
{
    s->now.t_pause = t_pause;
    s->now.halt = RUNNING;
    return s->backend->upload(s->device, s->clock, &s->now, sizeof s->now);
}

static enum err look(struct sim *s)
{
    TRY(s->backend->wait(s->device, &s->now, sizeof s->now));
    if (s->now.halt == BROKEN)
        FAIL(BROKEN,
             "the solution broke down in step %lu at t = %.9g s: a wave speed is not finite, or "
             "the time step vanished (last %.3g s). Try a smaller --cfl or a larger --kappa",
             s->now.steps + 1, s->now.t, s->now.dt);
    return ERR_OK;
}

enum err sim_run(struct sim *s, double t_pause, int (*progress)(const struct sim *))
{
    double start = seconds(), last = start, per_step = 0;
    long enqueued[IN_FLIGHT] = {0};
    int flying = 0, stop = 0;
    unsigned long seen = s->now.steps;
    TRY(resume(s, t_pause));
    for (;;) {
        while (!stop && flying < IN_FLIGHT) {
            long n = batch(s, fmin(t_pause, s->t_end), per_step, flying ? enqueued[0] : 0);
            TRY(enqueue(s, n));
            enqueued[flying++] = n;
        }
        if (!flying)
            break;
        TRY(look(s));
        flying--;
        enqueued[0] = enqueued[1];
        double now = seconds();
        if (s->now.steps > seen)
            per_step = (now - last) / (double)(s->now.steps - seen);
        seen = s->now.steps;
        last = now;
        stop |= s->now.halt != RUNNING;
        if (!stop && progress && progress(s))
            FAIL(STOPPED, "stopped by a signal in step %lu at t = %.9g s", s->now.steps, s->now.t);
    }
    s->wall += seconds() - start;
    return ERR_OK;
}

enum err sim_step_many(struct sim *s, long steps)
{
    double start = seconds();
    TRY(resume(s, (double)INFINITY));
    for (long k = 0; k < steps; k++)
        TRY(s->scheme->step(s));
    TRY(s->backend->peek(s->device, s->clock, sizeof s->now));
    TRY(look(s));
    s->wall += seconds() - start;
    return ERR_OK;
}

enum err sim_download(struct sim *s, int field, void *to)
{
    size_t row = (size_t)s->grid.nx * s->real_size;
    char *all = malloc(s->field_bytes);
    if (!all)
        FAIL(MEMORY, "a copy of a field needs %zu bytes of main memory", s->field_bytes);
    enum err e = s->backend->download(s->device, all, s->storage[field], s->field_bytes);
    for (int j = 0; !e && j < s->grid.ny; j++)
        memcpy((char *)to + (size_t)j * row,
               all + (size_t)((j + GHOSTS) * s->pitch + MARGIN) * s->real_size, row);
    free(all);
    return e;
}

static enum err sum_inflow(struct sim *s, double *inflow)
{
    size_t n = 2 * ((size_t)s->grid.nx + (size_t)s->grid.ny);
    double *sum = malloc(n * sizeof *sum);
    if (!sum)
        FAIL(MEMORY, "no memory for the balance");
    enum err e = s->backend->download(s->device, sum, s->edge_sum, n * sizeof *sum);
    for (size_t k = 0; !e && k < n; k++)
        *inflow += sum[k] * (k < 2 * (size_t)s->grid.ny ? s->grid.dy : s->grid.dx);
    free(sum);
    return e;
}

enum err sim_balance(struct sim *s, struct balance *b)
{
    counter counts[COUNTERS];
    double area = s->grid.dx * s->grid.dy;
    void *w = malloc((size_t)s->grid.nx * (size_t)s->grid.ny * s->real_size);
    if (!w)
        FAIL(MEMORY, "no memory for the balance");
    memset(b, 0, sizeof *b);
    enum err e = sim_download(s, 0, w);
    if (!e)
        b->volume = initial_volume(s->initial, w, area);
    free(w);
    TRY(e);
    if (s->edge_sum)
        TRY(sum_inflow(s, &b->inflow));
    TRY(s->backend->download(s->device, counts, s->counters, sizeof counts));
    b->clipped_in = (double)counts[CLIPPED_IN] / s->physics.units * area;
    b->dried_out = (double)counts[DRIED_OUT] / s->physics.units * area;
    return ERR_OK;
}
