/* Running a simulation: steps are enqueued in batches, the device keeps the clock, and the host
 * looks at a copy of it one batch late. */
#include <math.h>

#include "core/seconds.h"
#include "core/sim.h"

enum { IN_FLIGHT = 2, MOST_STEPS = 2000 };
static const double BATCH_SECONDS = 0.03;

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
    if (s->now.steps == 0)
        s->passes = 0; /* a first step that a pause turned away is still to come */
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

/* Takes in copies under way whose content nobody wants any more. */
static void drain(struct sim *s, int flying)
{
    struct clock unwanted;
    while (flying-- > 0)
        if (s->backend->wait(s->device, &unwanted, sizeof unwanted))
            break;
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
        enum err e = look(s);
        flying--;
        enqueued[0] = enqueued[1];
        if (e) {
            drain(s, flying);
            return e;
        }
        double now = seconds();
        if (s->now.steps > seen)
            per_step = (now - last) / (double)(s->now.steps - seen);
        seen = s->now.steps;
        last = now;
        stop |= s->now.halt != RUNNING;
        if (!stop && progress && progress(s)) {
            drain(s, flying);
            FAIL(STOPPED, "stopped by a signal in step %lu at t = %.9g s", s->now.steps, s->now.t);
        }
    }
    s->wall += seconds() - start;
    return ERR_OK;
}

void sim_extend(struct sim *s, double t_end)
{
    s->t_end = t_end;
    s->now.t_end = t_end; /* resume() uploads it */
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
