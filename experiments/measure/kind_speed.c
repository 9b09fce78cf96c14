/* The speed of whole steps, in windows of equal length, with the device's peak rates. */
#include <math.h>
#include <stdlib.h>

#include "core/device/nvml.h"
#include "core/base/monotonic_time.h"
#include "core/base/sorted.h"
#include "experiments/measure/ceilings.h"
#include "experiments/measure/measure_parts.h"

enum { MOST_WINDOWS = 100 };
struct asked {
    double length;      /* of a window, s */
    int windows, array; /* MiB that a copy moves */
};
static const struct option options[] = {
    {.name = "window", NUMBER_IN(struct asked, length, 1e-4, 100), .initial = "0.35"},
    {.name = "windows", COUNT_IN(struct asked, windows, 1, MOST_WINDOWS), .initial = "3"},
    {.name = "array", COUNT_IN(struct asked, array, 1, 1 << 16), .initial = "256"},
    {.name = NULL},
};
static const double MIB = 1 << 20;

/* Never reached: kernels do nothing after the end. */
static const double NO_END = 1e9;

/* The device's, measured once for a precision. */
struct limits {
    struct ceilings ceiling[PRECISIONS];
    struct launch_times launch;
    int known[PRECISIONS], launch_known;
};

/* The result of a point. */
struct speed {
    double rate[MOST_WINDOWS]; /* million updates a second, least first */
    int windows;
    double wall;             /* s, of all windows */
    double bytes;            /* that an update must move; NAN: unknown */
    double joules, energy_s; /* of 10^9 updates, over how long; NAN: unknown */
};

static enum err add_reals(void *context, struct sim_kernel *k, const void *args, size_t bytes)
{
    (void)args, (void)bytes;
    *(double *)context += k->recipe.kernel->reals;
    return ERR_OK;
}

/* The bytes that the kernels of a pass must move, each input read once and each output written
 * once. With early exit that depends on the flow. */
static enum err count_bytes(struct sim *s, const struct point *p, double *bytes)
{
    enum { PASSES = 2 }; /* the first one of a run may launch others */
    double reals = 0;
    TRY(sim_step_many(s, PASSES));
    struct sim *const part = sim_first_part(s); /* reals are those of a cell */
    part->hook = (struct launch_hook){add_reals, &reals};
    const enum err e = sim_step_many(s, PASSES);
    part->hook.told = NULL;
    const int steps = s->scheme->steps > 1 ? s->scheme->steps : 1;
    *bytes = p->early_exit == EARLY_EXIT_OFF ? reals * (double)s->real_size / PASSES / steps
                                             : (double)NAN;
    return e;
}

/* The number of passes that take this long: tries more until the time is long enough to measure. */
static enum err passes_in(struct sim *s, double length, long *passes)
{
    enum { MOST_PASSES = 1 << 22 };
    for (*passes = 1;; *passes *= 2) {
        s->wall = 0;
        TRY(sim_step_many(s, *passes));
        if (s->wall > length / 8 || *passes >= MOST_PASSES)
            break;
    }
    *passes = (long)fmax(1, ceil((double)*passes * length / s->wall));
    return ERR_OK;
}

/* The energy counter changes only a few times a second: steps until it does. `joules` is NAN if
 * there is no counter, or it never changes. */
static enum err step_to_next_move(struct sim *s, long passes, double *joules)
{
    enum { PATIENCE = 2 }; /* s */
    const char *bus = s->backend->info(s->device)->bus;
    const double began = seconds();
    double before;
    *joules = (double)NAN;
    if (s->devices.count > 1 || !nvml_energy(bus, &before))
        return ERR_OK;
    while (seconds() - began < PATIENCE) {
        double now;
        TRY(sim_step_many(s, passes));
        if (!nvml_energy(bus, &now))
            return ERR_OK;
        if (now > before) {
            *joules = now;
            return ERR_OK;
        }
    }
    return ERR_OK;
}

/* From one change of the energy counter to another, with all windows in between. */
static enum err time_windows(struct sim *s, double length, struct speed *r)
{
    enum { SLICES = 20 }; /* of a window, between readings of the counter */
    const double cells = sim_cells(s);
    double first, last;
    long passes;
    TRY(passes_in(s, length, &passes));
    const long slice = passes / SLICES + 1;
    TRY(step_to_next_move(s, slice, &first));
    const double began = seconds();
    const unsigned long from = s->now.steps;
    r->wall = 0;
    for (int k = 0; k < r->windows; k++) {
        const unsigned long before = s->now.steps;
        s->wall = 0;
        TRY(sim_step_many(s, passes));
        r->rate[k] = cells * (double)(s->now.steps - before) / s->wall / 1e6;
        r->wall += s->wall;
    }
    TRY(step_to_next_move(s, slice, &last));
    r->energy_s = isnan(last - first) ? (double)NAN : seconds() - began;
    r->joules = (last - first) / (cells * (double)(s->now.steps - from)) * 1e9;
    sorted_median(r->rate, (size_t)r->windows);
    return ERR_OK;
}

static enum err find_limits(struct measure *m, const struct point *point)
{
    const enum precision p = point->precision;
    struct limits *l = m->state ? m->state : calloc(1, sizeof *l);
    struct asked asked;
    if (!l)
        FAIL(MEMORY, "no memory for the device's ceilings");
    m->state = l;
    TRY(measure_options(m->experiment, m->setup.backend, options, &asked));
    if (!l->launch_known)
        TRY(ceilings_launches(m, &l->launch));
    l->launch_known = 1;
    if (!l->known[p])
        TRY(ceilings_measure(m, p, (size_t)(asked.array * MIB), &l->ceiling[p]));
    l->known[p] = 1;
    return ERR_OK;
}

static enum err measure_speed(const struct measure *m, const struct point *p, struct sim *s,
                              struct speed *r)
{
    struct asked asked;
    TRY(measure_options(m->experiment, m->setup.backend, options, &asked));
    r->windows = asked.windows;
    sim_extend(s, NO_END);
    TRY(count_bytes(s, p, &r->bytes));
    return time_windows(s, asked.length, r);
}

/* In the order of the kind's columns. */
static void fill_cells(const struct limits *l, const struct point *p, const struct speed *r,
                       struct cells *to)
{
    const struct ceilings *c = &l->ceiling[p->precision];
    const struct {
        const char *format;
        double x;
    } cell[] = {{"%.0f", r->windows},
                {"%.6f", r->wall},
                {"%.2f", r->rate[r->windows / 2]},
                {"%.2f", r->rate[0]},
                {"%.2f", r->rate[r->windows - 1]},
                {"%.0f", r->bytes},
                {"%.4f", r->joules},
                {"%.3f", r->energy_s},
                {"%.1f", c->copy_bytes / c->copy_us / 1e3},
                {"%.1f", c->fma_operations / c->fma_us / 1e3},
                {"%.3f", l->launch.launch_us},
                {"%.3f", l->launch.wait_us}};
    for (size_t k = 0; k < sizeof cell / sizeof *cell; k++)
        cells_number(to, cell[k].format, cell[k].x);
}

static enum err run(struct measure *m, const struct point *p, struct opened *o)
{
    struct speed r = {.windows = 0};
    struct cells c = {.used = 0};
    TRY(measure_speed(m, p, o->sim, &r));
    cells_text(&c, sim_blocks_from(o->sim));
    fill_cells(m->state, p, &r, &c);
    return measure_enter(m, p, o->ny, NULL, &c);
}

static void end(struct measure *m)
{
    free(m->state);
    m->state = NULL;
}

const struct measure_kind kind_speed = {
    .name = "speed",
    .divides = 1,
    .title = "whole steps: updates a second, energy",
    .options = options,
    .row_columns = "",
    .columns = "from\twindows\twall_s\tmcells_per_s\tleast_mcells_per_s\tmost_mcells_per_s\t"
               "update_b\tjoules\tenergy_s\tcopy_gb_per_s\tfma_gflops\tlaunch_us\twait_us",
    .how =
        "one run of a point, cut into windows; update_b: what an update's kernels must move, each "
        "input read once, each output written once; joules: of 10^9 updates, by the GPU's counter "
        "of energy from one of its moves to another; ceilings: the fastest of ten launches, "
        "launch: "
        "a kernel that returns at once, each of 500 in a row, wait: one alone, waited for",
    .prepare = find_limits,
    .run = run,
    .print = speed_print,
    .end = end,
};
