/* The time of each kernel in a few steps. */
#include "core/sim/step_profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/device/cupti.h"
#include "core/sim/kernels.h"
#include "core/base/sorted.h"

/* The kernels launched, in order, and the time of each; `count` continues when there is no more
 * room. */
struct trail {
    struct sim_kernel **at;
    double *us;
    size_t count, room;
};

/* The profiled steps. */
static enum err step_on(struct sim *s, long steps, struct step_profile *p)
{
    struct sim_kernel *all[SIM_KERNELS];
    const int n = sim_kernels_all(s, all);
    const unsigned long before = s->now.steps;
    for (int k = 0; k < n; k++) {
        all[k]->seconds = 0;
        all[k]->launches = 0;
    }
    TRY(sim_step_many(s, steps));
    p->steps = s->now.steps - before;
    return p->steps ? ERR_OK
                    : err_set(ERR_INPUT, __FILE__, __LINE__, "%ld steps: the run has ended", steps);
}

static enum err note_launch(void *context, struct sim_kernel *k, const void *args, size_t bytes)
{
    struct trail *trail = context;
    (void)args, (void)bytes;
    if (trail->count++ < trail->room)
        trail->at[trail->count - 1] = k;
    return ERR_OK;
}

/* Adds up the launches; false, with a reason, if the record is incomplete. Launches are identified
 * by their order: CUPTI remembers names by address, and a kernel loaded where an earlier
 * simulation's was unloaded shows the old name. */
static int share_out(const struct trail *trail, const struct cupti_launches *all, char *why,
                     size_t n)
{
    if (all->dropped > 0 || all->count != trail->count || trail->count > trail->room) {
        snprintf(why, n, "CUPTI recorded %zu of %zu launches and dropped %zu", all->count,
                 trail->count, all->dropped);
        return 0;
    }
    for (size_t m = 0; m < all->count; m++) {
        trail->us[m] = 1e-3 * (double)(all->at[m].end - all->at[m].start);
        trail->at[m]->seconds += 1e-6 * trail->us[m];
        trail->at[m]->launches++;
    }
    return 1;
}

/* Of the launches of a kernel, us; `room` has room for all launches. */
static double median_of(const struct trail *trail, const struct sim_kernel *k, double *room)
{
    size_t n = 0;
    for (size_t m = 0; m < trail->count; m++)
        if (trail->at[m] == k)
            room[n++] = trail->us[m];
    return sorted_median(room, n);
}

/* `trail` NULL: only sums are available. */
static enum err summarise(struct sim *s, const struct trail *trail, struct step_profile *p)
{
    static const char *const from[] = {
        [BLOCK_DEFAULT] = "default", [BLOCK_CHOSEN] = "chosen", [BLOCK_TUNED] = "tuned"};
    struct sim_kernel *all[SIM_KERNELS];
    const int n = sim_kernels_all(s, all);
    double total = 0;
    p->count = 0;
    for (int m = 0; m < n; m++)
        total += all[m]->seconds;
    for (int m = 0; m < n; m++) {
        const struct sim_kernel *k = all[m];
        struct kernel_time *to = &p->at[p->count];
        if (!k->launches)
            continue;
        const double bytes = (double)k->recipe.kernel->reals * (double)s->real_size * sim_cells(s);
        *to = (struct kernel_time){.kernel = k->recipe.kernel, .block = k->recipe.block};
        to->launches = (double)k->launches / (double)p->steps;
        to->us = trail ? median_of(trail, k, trail->us + trail->room)
                       : 1e6 * k->seconds / (double)k->launches;
        to->share = k->seconds / total;
        to->gb_per_s = bytes > 0 ? bytes / to->us / 1e3 : (double)NAN;
        to->from = from[k->origin.from];
        TRY(s->backend->facts(s->device, k->loaded, &to->facts));
        p->count++;
    }
    return ERR_OK;
}

/* Kernels one after the other as in a run. Sets `used` if CUPTI could time them. */
static enum err by_cupti(struct sim *s, long steps, struct trail *trail, struct step_profile *p,
                         int *used)
{
    struct cupti_launches all;
    *used = 0;
    if (!cupti_begin(p->why, sizeof p->why))
        return ERR_OK;
    s->hook = (struct launch_hook){note_launch, trail};
    enum err e = step_on(s, steps, p);
    s->hook.told = NULL;
    const int ended = cupti_end(&all, p->why, sizeof p->why);
    *used = !e && ended && share_out(trail, &all, p->why, sizeof p->why);
    cupti_free(&all);
    if (*used)
        e = summarise(s, trail, p);
    return e;
}

static enum err try_cupti(struct sim *s, long steps, struct step_profile *p, int *used)
{
    struct trail trail = {.room = (size_t)steps * SIM_KERNELS * 2};
    enum err e = ERR_OK;
    trail.at = malloc(trail.room * sizeof(struct sim_kernel *));
    trail.us = malloc(2 * trail.room * sizeof *trail.us); /* the second half to sort in */
    if (!trail.at || !trail.us)
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for %zu launches", trail.room);
    else
        e = by_cupti(s, steps, &trail, p, used);
    free(trail.at);
    free(trail.us);
    return e;
}

enum err bench_profile_measure(struct sim *s, long steps, struct step_profile *p)
{
    const int gpu = s->backend == backends[CUDA];
    int used = 0;
    *p = (struct step_profile){.method = gpu ? "cupti" : "clock"};
    if (gpu)
        TRY(try_cupti(s, steps, p, &used));
    if (used)
        return ERR_OK;
    if (gpu)
        p->method = "events";
    s->profiling = 1; /* waits for every kernel between two marks of the backend */
    const enum err e = step_on(s, steps, p);
    s->profiling = 0;
    return e ? e : summarise(s, NULL, p);
}
