/* `shoal bench`: how fast whole steps are on this machine, as a table with its environment. */
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/commands.h"
#include "core/cupti.h"
#include "core/log.h"
#include "core/nvml.h"
#include "core/problem.h"
#include "core/seconds.h"
#include "core/sorted.h"
#include "core/version.h"

enum { WINDOWS = 5, PROFILED_STEPS = 10, MOST_KERNELS = SCHEME_KERNELS + 4 };
static const double WINDOW_SECONDS = 0.4;

struct row {
    const char *scheme; /* null: every registered one */
    enum precision precision;
    enum mode mode;
    int size, threads; /* threads 0: all */
    int profile;       /* then the time of each kernel, too */
};

static const struct row cpu_rows[] = {
    {"rk2", F32, FAST_MODE, 1024, 1, 0}, {"rk2", F32, STRICT, 1024, 1, 0},
    {NULL, F32, FAST_MODE, 1024, 0, 1},  {"rk2", F32, STRICT, 1024, 0, 0},
    {"rk2", F64, FAST_MODE, 1024, 0, 0}, {"rk2", F64, STRICT, 1024, 0, 0},
    {"rk2", F32, FAST_MODE, 4096, 0, 0}, {.size = 0},
};
static const struct row cuda_rows[] = {
    {"rk2", F32, FAST_MODE, 512, 0, 0},
    {"rk2", F32, FAST_MODE, 1024, 0, 0},
    {NULL, F32, FAST_MODE, 4096, 0, 0},
    {NULL, F32, FAST_MODE, 8192, 0, 1},
    {"rk2", F32, STRICT, 8192, 0, 0},
    {"rk2", F64, FAST_MODE, 8192, 0, 0},
    {"rk2", F64, STRICT, 8192, 0, 0},
    {"rk2", F32, FAST_MODE, 16384, 0, 0},
    {.size = 0},
};
static const struct row *const rows[BACKENDS] = {[CPU] = cpu_rows, [CUDA] = cuda_rows};
/* The domain of the early-exit comparison. */
static const int exit_size[BACKENDS] = {[CPU] = 2048, [CUDA] = 8192};

static void configure(struct config *c, const struct row *r, const char *backend)
{
    config_defaults(c);
    snprintf(c->input, sizeof c->input, "circular-dam");
    snprintf(c->scheme, sizeof c->scheme, "%s", r->scheme);
    snprintf(c->backend, sizeof c->backend, "%s", backend);
    c->precision = (int)r->precision;
    c->mode = (int)r->mode;
    c->nx = c->ny = r->size;
    c->threads = r->threads;
    c->early_exit = EARLY_EXIT_OFF;
    c->t_end = 1e6; /* never reached */
}

/* Million cell updates per second of each window, sorted. */
static enum err time_windows(struct sim *s, double rate[WINDOWS], long *passes)
{
    double cells = (double)s->grid.nx * (double)s->grid.ny;
    TRY(sim_step_many(s, 2)); /* the first steps load code and data */
    s->wall = 0;
    TRY(sim_step_many(s, 2));
    *passes = (long)fmin(2000, fmax(2, ceil(WINDOW_SECONDS / (s->wall / 2))));
    for (int k = 0; k < WINDOWS; k++) {
        const unsigned long before = s->now.steps;
        s->wall = 0;
        TRY(sim_step_many(s, *passes));
        rate[k] = cells * (double)(s->now.steps - before) / s->wall / 1e6;
    }
    sorted_median(rate, WINDOWS);
    return ERR_OK;
}

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

static enum err profile(struct sim *s)
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

static enum err measure(const struct row *r, const char *backend)
{
    static struct config c;
    struct problem p;
    struct sim *s = NULL;
    double rate[WINDOWS];
    long steps = 0;
    enum err e = ERR_OK;
    configure(&c, r, backend);
    TRY_OUT(problem_open(&p, &c));
    TRY_OUT(sim_create(&s, &p.setup));
    TRY_OUT(time_windows(s, rate, &steps));
    int units = s->backend->info(s->device)->units;
    printf("%-5s %-6s %s %-6s %5d %5ld %10.1f %10.1f %10.1f %10.1f  %.2f\n", backend, r->scheme,
           r->precision == F64 ? "f64" : "f32", r->mode == STRICT ? "strict" : "fast", r->size,
           steps, rate[WINDOWS / 2], rate[0], rate[WINDOWS - 1], rate[WINDOWS / 2] / units,
           (double)sim_bytes(s) / ((double)r->size * r->size * (double)s->real_size));
    fflush(stdout);
    if (r->profile)
        TRY_OUT(profile(s));
out:
    sim_destroy(s);
    problem_close(&p);
    return e;
}

/* Seconds from a configuration to a simulation that is ready to step. */
static enum err start_time(const char *backend, double *t)
{
    static const struct row small = {"rk2", F32, FAST_MODE, 100, 0, 0};
    static struct config c;
    struct problem p;
    struct sim *s = NULL;
    enum err e = ERR_OK;
    configure(&c, &small, backend);
    TRY_OUT(problem_open(&p, &c));
    double begin = seconds();
    TRY_OUT(sim_create(&s, &p.setup));
    *t = seconds() - begin;
out:
    sim_destroy(s);
    problem_close(&p);
    return e;
}

static int delete_entry(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    (void)st, (void)kind, (void)where;
    return remove(path);
}

/* With another device handle open, so that the driver's own start-up does not count. */
static enum err start_times(const struct backend *b)
{
    char folder[] = "/tmp/shoal-bench-XXXXXX";
    struct device_options o = {.march = "native"};
    struct device *dev = NULL;
    double context = seconds(), cold = 0, warm = 0;
    enum err e = ERR_OK;
    const char *old = getenv("SHOAL_CACHE");
    char kept[4096] = "";
    if (old)
        snprintf(kept, sizeof kept, "%s", old);
    if (!mkdtemp(folder))
        FAIL(MACHINE, "cannot make a folder in /tmp");
    setenv("SHOAL_CACHE", folder, 1);
    TRY_OUT(b->open(&dev, &o));
    context = seconds() - context;
    TRY_OUT(start_time(b->name, &cold));
    TRY_OUT(start_time(b->name, &warm));
    printf("%s: device opened in %.3f s; then ready to step in %.3f s with an empty kernel cache, "
           "%.3f s with a warm one\n",
           b->name, context, cold, warm);
out:
    b->close(dev);
    if (*kept)
        setenv("SHOAL_CACHE", kept, 1);
    else
        unsetenv("SHOAL_CACHE");
    nftw(folder, delete_entry, 8, FTW_DEPTH | FTW_PHYS);
    return e;
}

static double flat(double x, double y)
{
    (void)x, (void)y;
    return 0;
}

static struct flow tenth(double x, double y)
{
    return (struct flow){x * x + y * y <= 0.1 * 40 * 40 / 3.14159265358979 ? 2.5 : 0, 0, 0};
}

/* A circular dam that covers a tenth of a dry domain. */
static enum err exit_rate(const struct backend *b, int size, int choice, double *rate)
{
    static struct flow_case dam = {.bed = flat, .initial = tenth};
    const struct row r = {"rk2", F32, FAST_MODE, size, 0, 0};
    static struct config c;
    struct problem p;
    struct sim *s = NULL;
    double rates[WINDOWS];
    long passes;
    enum err e = ERR_OK;
    configure(&c, &r, b->name);
    c.early_exit = choice;
    TRY_OUT(problem_open(&p, &c));
    p.flow_case = &dam;
    TRY_OUT(sim_create(&s, &p.setup));
    TRY_OUT(time_windows(s, rates, &passes));
    *rate = rates[WINDOWS / 2];
out:
    sim_destroy(s);
    problem_close(&p);
    return e;
}

static enum err compare_early_exit(const struct backend *b, int size)
{
    double with = 0, without = 0;
    TRY(exit_rate(b, size, EARLY_EXIT_OFF, &without));
    TRY(exit_rate(b, size, EARLY_EXIT_ON, &with));
    printf(
        "# early exit, rk2 f32 fast, %d x %d, a circular dam on a tenth of a dry bed: %.1f with, "
        "%.1f without: %.2f times faster\n",
        size, size, with, without, with / without);
    return ERR_OK;
}

static enum err bench_rows(const struct backend *b, const struct row *r)
{
    for (; r->size; r++) {
        struct row one = *r;
        for (int k = 0; schemes[k]; k++) {
            if (!r->scheme)
                one.scheme = schemes[k]->name;
            if (!r->scheme || k == 0)
                TRY(measure(&one, b->name));
        }
    }
    return ERR_OK;
}

/* A rate means little without the clocks it was reached at. */
static void print_clocks(const char *when, const struct device_info *i)
{
    char state[1024];
    nvml_describe(i->bus, state, sizeof state);
    printf("# clocks %s: %s\n", when, state);
}

static enum err bench_backend(const struct backend *b, int kind)
{
    struct device_options o = {.march = "native"};
    struct device *dev = NULL;
    TRY(b->open(&dev, &o));
    const struct device_info i = *b->info(dev);
    printf("# %s: %s, %s, %d %s, compiler %s%s%s\n", b->name, i.name, i.target, i.units,
           kind == CUDA ? "multiprocessors" : "threads", i.compiler, i.driver[0] ? ", driver " : "",
           i.driver);
    b->close(dev);
    TRY(start_times(b));
    if (kind == CUDA)
        print_clocks("before", &i);
    printf("# early exit is off in the table: it would not compute what it need not\n"
           "backend scheme prec mode size passes  median     min        max        /unit  "
           "reals_per_cell\n");
    TRY(bench_rows(b, rows[kind]));
    if (kind == CUDA)
        print_clocks("after", &i);
    return compare_early_exit(b, exit_size[kind]);
}

void cmd_bench_help(void)
{
    printf(
        "usage: shoal bench [cpu|cuda]\n\n"
        "Times whole steps of circular-dam, boundaries and the choice of the time step included,\n"
        "in %d windows of about %.1f s. Prints million cell updates per second (one update: one\n"
        "full step of one cell, all its stages): median, least and most of the windows, and the\n"
        "median per unit (CPU thread or multiprocessor). Under some rows stand the times of the\n"
        "kernels and how they were taken: by CUPTI, by CUDA events where CUPTI cannot be used, or\n"
        "by the CPU's clock.\n\n"
        "examples:\n  shoal bench\n  shoal bench cpu\n",
        WINDOWS, WINDOW_SECONDS);
}

enum err cmd_bench(int argc, char **argv)
{
    char why[512];
    int done = 0;
    if (argc > 1)
        FAIL(USAGE, "bench takes at most one argument: cpu or cuda");
    log_quiet(1);
    printf("# shoal %s (commit %s)\n", shoal_version, shoal_commit);
    for (int k = 0; k < BACKENDS; k++) {
        if (argc == 1 && strcmp(argv[0], backends[k]->name) != 0)
            continue;
        done++;
        if (!backends[k]->available(0, why, sizeof why))
            printf("# %s: not available here: %s\n", backends[k]->name, why);
        else
            TRY(bench_backend(backends[k], k));
    }
    if (!done)
        FAIL(USAGE, "no backend is called '%s': cpu or cuda", argv[0]);
    return ERR_OK;
}
