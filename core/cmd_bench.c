/* `shoal bench`: how fast whole steps are on this machine, as a table with its environment. */
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/bench_profile.h"
#include "core/commands.h"
#include "core/log.h"
#include "core/nvml.h"
#include "core/problem.h"
#include "core/seconds.h"
#include "core/sorted.h"
#include "core/version.h"

enum { WINDOWS = 5 };
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
    printf("%-5s %-6s %s %-6s %5d %5ld %10.1f %10.1f %10.1f %10.1f  %-14.2f  %s\n", backend,
           r->scheme, precision_names[r->precision], mode_names[r->mode], r->size, steps,
           rate[WINDOWS / 2], rate[0], rate[WINDOWS - 1], rate[WINDOWS / 2] / units,
           (double)sim_bytes(s) / ((double)r->size * r->size * (double)s->real_size),
           sim_blocks_from(s));
    fflush(stdout);
    if (r->profile)
        TRY_OUT(bench_profile(s));
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
           "reals_per_cell  blocks\n");
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
