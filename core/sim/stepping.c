/* Runs a simulation: enqueues steps in batches (core/sim/passes.c); the device keeps the clock, and
 * the host reads a copy of it one batch late. */
#include <float.h>
#include <math.h>

#include "core/sim/apron.h"
#include "core/sim/breakdown.h"
#include "core/base/log.h"
#include "core/sim/halo.h"
#include "core/sim/launch_room.h"
#include "core/sim/observer.h"
#include "core/sim/orders.h"
#include "core/sim/own_ghosts.h"
#include "core/sim/active_tiles.h"
#include "core/sim/sparse.h"
#include "core/sim/strips.h"
#include "core/sim/parts.h"
#include "core/sim/sim_parts.h"
#include "core/sim/tiling.h"
#include "core/base/monotonic_time.h"
#include "core/sim/sim.h"
#include "kernels/halo.h"

enum { IN_FLIGHT = 2, MOST_STEPS = 2000 };
static const double BATCH_SECONDS = 0.03;

/* Where the clock may halt for tiles any step may be the last one before that, and those enqueued behind it are
 * launched in vain. */
static const double SPARSE_BATCH_SECONDS = 0.002;

/* Number of steps to enqueue next: as many as take BATCH_SECONDS, but not far beyond the pause. */
static long batch(const struct sim *s, double t_stop, long under_way)
{
    const double time = launch_room_halts(s) ? SPARSE_BATCH_SECONDS : BATCH_SECONDS;
    double n = s->per_step > 0 ? time / s->per_step : 1;
    double left = (double)(s->now.step_limit - s->now.steps);
    if (s->now.dt > 0)
        left = fmin(left, ceil((t_stop - s->now.t) / s->now.dt * 1.02) + 1);
    n = fmin(n, left - (double)under_way);
    return n < 1 ? 1 : n > MOST_STEPS ? MOST_STEPS : (long)n;
}

struct room_wanted {
    struct parts *parts;
    long passes;
};

/* All parts' observer results are read at the same time. */
static enum err take_from_all(void *context)
{
    const struct room_wanted *w = context;
    return observers_make_room(w->parts->sim[0]->whole, w->passes, &w->parts->some);
}

static enum err make_room_in_all(void *context)
{
    struct room_wanted *w = context;
    w->parts->some = 0;
    TRY(orders_lead(w->parts, take_from_all, w));
    unsigned long some = (unsigned long)w->parts->some;
    TRY(parts_largest(w->parts, &some));
    w->parts->some = (long)some;
    return ERR_OK;
}

static enum err make_room(struct sim *s, long passes, long *some)
{
    if (!s->whole)
        return observers_make_room(s, passes, some);
    struct room_wanted w = {s->whole->parts, passes};
    *some = passes;
    if (!observers_need_room(s->whole))
        return ERR_OK;
    TRY(parts_meet(s, make_room_in_all, &w));
    *some = w.parts->some;
    return ERR_OK;
}

static enum err enqueue(struct sim *s, long passes)
{
    for (long some; passes > 0; passes -= some) {
        TRY(make_room(s, passes, &some));
        TRY(sim_enqueue(s, some));
    }
    return ERR_OK;
}

static enum err resume(struct sim *s, double t_pause)
{
    s->now.t_pause = t_pause;
    if (s->now.steps == 0)
        s->passes = 0; /* a first step that a pause rejected is still to come */
    s->now.halt = RUNNING;
    TRY(s->backend->upload(s->device, s->clock, &s->now, sizeof s->now));
    TRY(tiling_begin(s));
    apron_begin(s);
    TRY(halo_begin(s));
    TRY(own_ghosts_begin(s));
    return observers_begin(s);
}

/* Without a published Courant number, a fixed step that is too long from the start is a mistake. */
static enum err check_first_step(const struct sim *s)
{
    const double most = s->now.dt_x;
    const unsigned long first = 2; /* steps of a pass, at most */
    if (s->system->over_bed || s->now.overlong == 0 || s->now.steps > first)
        return ERR_OK;
    FAIL(USAGE,
         "--dt %g is too long: scheme %s is stable for steps of up to %.4g s at the start; choose "
         "a shorter one, or omit it",
         s->now.fixed_dt, s->scheme->name, most);
}

/* If another part has failed, its error is the reason; else this one's becomes that of all. */
static enum err tell_of_lost_part(struct sim *s)
{
    if (__atomic_load_n(s->abandoned, __ATOMIC_ACQUIRE))
        TRY(parts_meet(s, NULL, NULL));
    FAIL(MACHINE,
         "a part has waited for another one for %g s (--exchange-timeout), after step %lu at t = "
         "%.9g s: its GPU does not answer; restart from the last checkpoint, on other GPUs or with "
         "--exchange %s",
         s->config->exchange_timeout, s->now.steps, s->now.t,
         s->whole->parts->ranks ? "mpi" : "host");
}

static enum err look_at_clock(struct sim *s)
{
    nccl_note(s, seconds());
    const enum err e = s->backend->wait(s->device, &s->now, sizeof s->now);
    nccl_note(s, 0);
    TRY(nccl_lost(s));
    TRY(e);
    if (s->now.halt == LOST)
        return tell_of_lost_part(s);
    if (s->now.halt == BROKEN && s->whole) /* which looks for the cell in all parts */
        FAIL(BROKEN, "the solution broke down");
    TRY(check_first_step(s));
    return s->now.halt == BROKEN ? breakdown_error(s) : ERR_OK;
}

/* Waits for pending copies and discards them. */
static void drain(struct sim *s, int flying)
{
    struct clock unwanted;
    nccl_note(s, seconds());
    while (flying-- > 0)
        if (s->backend->wait(s->device, &unwanted, sizeof unwanted))
            break;
    nccl_note(s, 0);
}

/* What parts enqueue next, as the first part's measured step time suggests. */
struct batch_wanted {
    struct parts *parts;
    double t_stop;
    long under_way;
};

static enum err choose_batch(void *context)
{
    const struct batch_wanted *w = context;
    struct parts *p = w->parts;
    unsigned long n = p->first ? 0 : (unsigned long)batch(p->sim[0], w->t_stop, w->under_way);
    TRY(parts_largest(p, &n));
    p->batch = (long)n;
    return ERR_OK;
}

static enum err next_batch(struct sim *s, double t_stop, long under_way, long *n)
{
    if (!s->whole) {
        *n = batch(s, t_stop, under_way);
        return ERR_OK;
    }
    struct batch_wanted w = {s->whole->parts, t_stop, under_way};
    TRY(parts_meet(s, choose_batch, &w));
    *n = w.parts->batch;
    return ERR_OK;
}

struct watching {
    struct sim *whole;
    int (*progress)(const struct sim *);
};

static enum err show(void *context)
{
    const struct watching *w = context;
    w->whole->parts->stopped = w->progress(w->whole);
    return ERR_OK;
}

/* While all parts wait, so that a watcher may read their data. In other processes there is nothing
 * to watch, but a signal may have come. */
static enum err show_progress(void *context)
{
    struct watching *w = context;
    struct parts *p = w->whole->parts;
    w->whole->now = p->sim[p->first]->now;
    TRY(orders_lead(p, show, w));
    unsigned long stopped = (unsigned long)(p->first ? w->progress(w->whole) : p->stopped);
    TRY(parts_largest(p, &stopped));
    p->stopped = stopped != 0;
    return ERR_OK;
}

/* Should the run stop here? */
static enum err ask(struct sim *s, int (*progress)(const struct sim *), int *stop)
{
    struct watching w = {s->whole, progress};
    *stop = 0;
    if (progress && s->whole)
        TRY(parts_meet(s, show_progress, &w));
    if (progress)
        *stop = s->whole ? s->whole->parts->stopped : progress(s);
    return ERR_OK;
}

enum err sim_stopped(const struct sim *s)
{
    FAIL(STOPPED, "stopped by a signal after step %lu at t = %.9g s", s->now.steps, s->now.t);
}

/* Runs until the clock halts, or progress stops the run. */
static enum err run(struct sim *s, double t_pause, int (*progress)(const struct sim *))
{
    double start = seconds(), last = start;
    long enqueued[IN_FLIGHT] = {0};
    int flying = 0, stop = 0, stopped = 0;
    unsigned long seen = s->now.steps;
    TRY(resume(s, t_pause));
    for (;;) {
        while (!stop && flying < IN_FLIGHT) {
            long n;
            TRY(next_batch(s, fmin(t_pause, s->t_end), flying ? enqueued[0] : 0, &n));
            TRY(enqueue(s, n));
            TRY(s->backend->peek(s->device, s->clock, sizeof s->now));
            enqueued[flying++] = n;
        }
        if (!flying)
            break;
        enum err e = look_at_clock(s);
        flying--;
        enqueued[0] = enqueued[1];
        if (e) {
            drain(s, flying);
            return e;
        }
        double now = seconds();
        if (s->now.steps > seen)
            s->per_step = (now - last) / (double)(s->now.steps - seen);
        seen = s->now.steps;
        last = now;
        stop |= s->now.halt != RUNNING;
        if (!stop)
            TRY(ask(s, progress, &stopped));
        stop |= stopped;
    }
    TRY(observers_end(s));
    s->wall += seconds() - start;
    return stopped && s->now.halt != AT_END && !s->whole ? sim_stopped(s) : ERR_OK;
}

/* Whether the clock has halted for tiles. */
static int waits(const struct sim *s, double t_pause)
{
    return launch_room_halts(s) && s->now.halt == AT_PAUSE && s->now.t < t_pause;
}

/* Stores the tiles that the clock waits for, or drops some; chooses blocks and strips for as many as are computed. */
static enum err rearrange(struct sim *s, enum err (*how)(struct sim *s))
{
    const double start = seconds();
    enum err e = how(s);
    e = e ? e : launch_room_choose(s);
    e = e ? e : strips_choose(s);
    sim_forget_graph(s);
    s->wall += seconds() - start;
    return e;
}

/* Runs until the clock halts for anything but tiles. */
static enum err run_on(struct sim *s, double t_pause, int (*progress)(const struct sim *))
{
    TRY(rearrange(s, sparse_tidy));
    TRY(run(s, t_pause, progress));
    while (waits(s, t_pause)) {
        TRY(rearrange(s, sparse_serve));
        TRY(run(s, t_pause, progress));
    }
    return ERR_OK;
}

enum err sim_run(struct sim *s, double t_pause, int (*progress)(const struct sim *))
{
    if (s->parts)
        return parts_run(s, t_pause, progress);
    /* A pause behind the first step shows which tiles are at rest. */
    if (launch_room_halts(s) && s->now.steps == 0 && t_pause > 0)
        TRY(run_on(s, DBL_MIN, progress));
    return run_on(s, t_pause, progress);
}

void sim_extend(struct sim *s, double t_end)
{
    s->t_end = t_end;
    s->now.t_end = t_end; /* resume() uploads it */
}

void sim_set_clock(struct sim *s, const struct clock *now, double wall)
{
    s->now = *now; /* the next steps upload it */
    s->passes = now->steps > 0;
    s->wall = wall;
}

/* In pieces, until the clock halts: see SPARSE_BATCH_SECONDS. */
static enum err enqueue_watched(struct sim *s, long passes)
{
    const long most = sim_graph_passes(s);
    enum err e = ERR_OK;
    int flying = 0;
    for (; passes > 0 && s->now.halt == RUNNING && !e; passes -= most) {
        TRY(enqueue(s, passes < most ? passes : most));
        TRY(s->backend->peek(s->device, s->clock, sizeof s->now));
        if (++flying < IN_FLIGHT)
            continue;
        e = look_at_clock(s);
        flying--;
    }
    drain(s, flying);
    return e;
}

static enum err step_many(struct sim *s, long passes)
{
    double start = seconds();
    TRY(resume(s, (double)INFINITY));
    TRY((launch_room_halts(s) || s->mates ? enqueue_watched : enqueue)(s, passes));
    TRY(sim_prepare_graph(s));
    TRY(observers_end(s));
    TRY(s->backend->peek(s->device, s->clock, sizeof s->now));
    TRY(look_at_clock(s));
    s->wall += seconds() - start;
    return ERR_OK;
}

enum err sim_step_many(struct sim *s, long passes)
{
    struct tile_totals before, now;
    if (s->parts)
        return parts_step_many(s, passes);
    TRY(rearrange(s, sparse_tidy));
    TRY(active_tiles_totals(s, &before));
    TRY(step_many(s, passes));
    while (waits(s, (double)INFINITY)) {
        TRY(active_tiles_totals(s, &now));
        TRY(rearrange(s, sparse_serve));
        TRY(step_many(s, passes - (long)(now.passes - before.passes)));
    }
    return ERR_OK;
}
