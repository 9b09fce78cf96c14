/* The time of each kernel in a few steps. */
#include "core/bench_profile.h"

#include <stdio.h>

#include "core/cupti.h"

enum { PROFILED_STEPS = 10, MOST_KERNELS = SCHEME_KERNELS + 4 };

/* Every kernel of a simulation, and how its time was taken. */
struct kernel_times {
    struct sim_kernel *kernel[MOST_KERNELS];
    int count;
    const char *method; /* cupti, events, or (on the CPU) clock */
    long steps;
};

/* Share of the time, and the bytes that must be moved over it, of every kernel that ran. */
static void print_kernels(const struct sim *s, const struct kernel_times *t)
{
    double total = 0;
    for (int m = 0; m < t->count; m++)
        total += t->kernel[m]->seconds;
    for (int m = 0; m < t->count; m++) {
        const struct sim_kernel *k = t->kernel[m];
        const struct kernel *what = k->recipe.kernel;
        double bytes = (double)what->reals * (double)s->real_size * (double)k->launches *
                       (double)s->grid.nx * (double)s->grid.ny;
        if (!k->launches)
            continue;
        printf("#   %-13s %4dx%-3d %5.2f launches a step  %5.1f %% of the time  %7.1f us (%s)",
               what->name, k->recipe.block.w, k->recipe.block.h,
               (double)k->launches / (double)t->steps, 100 * k->seconds / total,
               1e6 * k->seconds / (double)k->launches, t->method);
        if (bytes > 0)
            printf("  %3d reals a cell: %7.1f GB/s", what->reals, bytes / k->seconds / 1e9);
        printf("\n");
    }
}

/* A few more steps. */
static enum err step_on(struct sim *s, struct kernel_times *t)
{
    const unsigned long before = s->now.steps;
    TRY(sim_step_many(s, PROFILED_STEPS));
    t->steps = (long)(s->now.steps - before);
    return ERR_OK;
}

/* The kernels launched, in order; `count` goes on where there is no more room. */
struct trail {
    struct sim_kernel **at;
    size_t count, room;
};

static enum err note_launch(void *context, struct sim_kernel *k, const void *args, size_t bytes)
{
    struct trail *trail = context;
    (void)args, (void)bytes;
    if (trail->count++ < trail->room)
        trail->at[trail->count - 1] = k;
    return ERR_OK;
}

/* Adds up the launches; false, with a reason, if they are not all there is to know. They are told apart
 * by their order: CUPTI remembers names by address, and a kernel that lies where one of an earlier
 * simulation was unloaded bears that one's name. */
static int share_out(const struct trail *trail, const struct cupti_launches *all, char *why,
                     size_t n)
{
    if (all->dropped > 0 || all->count != trail->count || trail->count > trail->room) {
        snprintf(why, n, "CUPTI recorded %zu of %zu launches and dropped %zu", all->count,
                 trail->count, all->dropped);
        return 0;
    }
    for (size_t m = 0; m < all->count; m++) {
        trail->at[m]->seconds += 1e-9 * (double)(all->at[m].end - all->at[m].start);
        trail->at[m]->launches++;
    }
    return 1;
}

/* Kernels one after the other as in a run. `used` says whether CUPTI could tell their times. */
static enum err profile_by_cupti(struct sim *s, struct kernel_times *t, int *used, char *why,
                                 size_t n)
{
    enum { ROOM = PROFILED_STEPS * MOST_KERNELS * 2 };
    struct sim_kernel *launched[ROOM];
    struct trail trail = {.at = launched, .room = ROOM};
    struct cupti_launches all;
    *used = 0;
    if (!cupti_begin(why, n))
        return ERR_OK;
    s->hook = (struct launch_hook){note_launch, &trail};
    enum err e = step_on(s, t);
    s->hook.told = NULL;
    const int ended = cupti_end(&all, why, n);
    *used = !e && ended && share_out(&trail, &all, why, n);
    cupti_free(&all);
    return e;
}

/* Waits for every kernel between two marks of the backend. */
static enum err profile_by_marks(struct sim *s, struct kernel_times *t)
{
    for (int k = 0; k < t->count; k++) {
        t->kernel[k]->seconds = 0;
        t->kernel[k]->launches = 0;
    }
    s->profiling = 1;
    return step_on(s, t);
}

enum err bench_profile(struct sim *s)
{
    const int gpu = s->backend == backends[CUDA];
    struct kernel_times t = {.method = gpu ? "cupti" : "clock"};
    char why[1024];
    int by_cupti = 0;
    for (int k = 0; s->scheme->kernels[k]; k++)
        t.kernel[t.count++] = &s->kernels[k];
    t.kernel[t.count++] = &s->boundary_kernel[PLAIN];
    t.kernel[t.count++] = &s->boundary_kernel[TURNED];
    t.kernel[t.count++] = &s->clock_kernel;
    if (gpu) {
        TRY(profile_by_cupti(s, &t, &by_cupti, why, sizeof why));
        if (!by_cupti) {
            t.method = "events";
            printf("#   kernel times by events: %s\n", why);
        }
    }
    if (!by_cupti)
        TRY(profile_by_marks(s, &t));
    print_kernels(s, &t);
    return ERR_OK;
}
