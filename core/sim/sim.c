/* Creating a simulation: device, memory, kernels, initial state. */
#include "core/sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device/gpu_probe.h"
#include "core/problem/downhill.h"
#include "core/problem/initial_state.h"
#include "core/registry/registry.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/sim/kernels.h"
#include "core/sim/observer.h"
#include "core/sim/sim_parts.h"
#include "kernels/volume.h"

/* Says which backend was chosen and why. */
static enum err choose_backend(struct sim *s)
{
    const struct config *c = s->config;
    char why[512] = "";
    if (strcmp(c->backend, "auto") != 0) {
        for (int k = 0; k < BACKENDS; k++)
            if (strcmp(c->backend, backends[k]->name) == 0)
                s->backend = backends[k];
        if (!s->backend)
            FAIL(USAGE, "unknown backend '%s'", c->backend);
        if (!s->backend->available(c->device, why, sizeof why))
            FAIL(ABSENT, "backend %s: %s", c->backend, why);
        return ERR_OK;
    }
    if (c->order) { /* the debug orders exist on the CPU only */
        s->backend = &backend_cpu;
        snprintf(why, sizeof why, "--order needs it");
    } else if (backend_cuda.available(c->device, why, sizeof why)) {
        s->backend = &backend_cuda;
        snprintf(why, sizeof why, "a GPU is here");
    } else {
        TRY(gpu_spared(c->device, why));
        s->backend = &backend_cpu;
    }
    log_info("backend %s, because: %s", s->backend->name, why);
    return ERR_OK;
}

static enum err open_device(struct sim *s)
{
    const struct config *c = s->config;
    struct device_options o = {
        .device = c->device, .threads = c->threads, .order = c->order, .march = c->march};
    TRY(choose_backend(s));
    if (c->order && s->backend != &backend_cpu)
        FAIL(USAGE, "--order needs --backend cpu");
    TRY(s->backend->open(&s->device, &o));
    const struct device_info *d = s->backend->info(s->device);
    log_info("%s: %s (%s), %d %s, kernels by %s", s->backend->name, d->name, d->target, d->units,
             s->backend == &backend_cuda ? "multiprocessors" : "threads", d->compiler);
    return ERR_OK;
}

unsigned long sim_step_limit(const struct sim *s)
{
    return s->config->steps > 0 ? (unsigned long)s->config->steps : ~0ul;
}

size_t sim_bytes(const struct sim *s)
{
    const size_t states = 1 + (size_t)s->scheme->stages, rates = (size_t)s->scheme->rates;
    return (3 * (states + rates + (s->forced ? 1 : 0)) + (s->rough ? 3 : 2)) * s->field_bytes +
           observers_bytes(s);
}

size_t sim_first_cell(const struct sim *s, long pitch)
{
    return (size_t)(GHOSTS * pitch + MARGIN) * s->real_size;
}

/* Cell (0,0) of a field in either view. */
static real *origin(const struct sim *s, int slot, enum view v)
{
    return (void *)((char *)s->storage[slot] + sim_first_cell(s, s->pitch[v]));
}

static enum err field(struct sim *s, int slot)
{
    TRY(s->backend->alloc(s->device, s->field_bytes, &s->storage[slot]));
    /* NaN everywhere: what is read without having been written shows. */
    return s->backend->fill(s->device, s->storage[slot], 0xff, s->field_bytes);
}

static enum err triple(struct sim *s, int slot, struct fields f[VIEWS])
{
    for (int k = 0; k < 3; k++)
        TRY(field(s, slot + k));
    for (int v = 0; v < VIEWS; v++)
        f[v] = (struct fields){origin(s, slot, (enum view)v), origin(s, slot + 1, (enum view)v),
                               origin(s, slot + 2, (enum view)v)};
    return ERR_OK;
}

static enum err zeroed(struct sim *s, size_t bytes, void **p)
{
    TRY(s->backend->alloc(s->device, bytes, p));
    return s->backend->fill(s->device, *p, 0, bytes);
}

enum err sim_keep(struct sim *s, const char *name, void *p, size_t bytes)
{
    int k = 0;
    while (k < EXTRAS - 1 && s->kept[k].name && strcmp(s->kept[k].name, name) != 0)
        k++;
    if (s->kept[k].name)
        FAIL(USAGE, "checkpoints keep too many things, or two, that are called '%s'", name);
    s->kept[k] = (struct kept){name, p, bytes};
    return ERR_OK;
}

enum err sim_extra(struct sim *s, const char *name, size_t bytes, void **p)
{
    for (size_t k = 0; k < EXTRAS; k++) {
        if (!s->extra[k]) {
            TRY(zeroed(s, bytes, &s->extra[k]));
            *p = s->extra[k];
            return name ? sim_keep(s, name, *p, bytes) : ERR_OK;
        }
    }
    FAIL(MEMORY, "scheme %s takes too many pieces of memory", s->scheme->name);
}

/* Every kernel has room for a wave speed per block, one kernel's after the other's. */
static enum err allocate_speeds(struct sim *s)
{
    long n = 0;
    void *p;
    for (int k = 0; s->scheme->kernels[k]; k++) {
        long plain = sim_most_blocks(s, &s->kernels[k], PLAIN);
        long turned = sim_most_blocks(s, &s->kernels[k], TURNED);
        s->speed_offset[k] = n;
        n += plain > turned ? plain : turned;
    }
    TRY(sim_extra(s, NULL, (size_t)n * s->real_size, &p));
    s->block_speed = p;
    return ERR_OK;
}

/* In the state's layout. */
static enum err allocate_force(struct sim *s)
{
    enum { FIRST = 3 * (STATES + RATES) };
    for (int k = 0; k < 3; k++)
        TRY(field(s, FIRST + k));
    s->force = (struct fields){origin(s, FIRST, PLAIN), origin(s, FIRST + 1, PLAIN),
                               origin(s, FIRST + 2, PLAIN)};
    return ERR_OK;
}

static enum err allocate(struct sim *s)
{
    void *p;
    for (int k = 0; k <= s->scheme->stages; k++)
        TRY(triple(s, 3 * k, s->q[k]));
    for (int k = 0; k < s->scheme->rates; k++)
        TRY(triple(s, 3 * (STATES + k), s->r[k]));
    if (s->forced)
        TRY(allocate_force(s));
    TRY(field(s, CENTRE_FIELD));
    TRY(field(s, BED_FIELD));
    s->ground = (struct ground){origin(s, BED_FIELD, PLAIN), origin(s, CENTRE_FIELD, PLAIN)};
    if (s->rough) {
        TRY(field(s, ROUGHNESS_FIELD));
        s->roughness = origin(s, ROUGHNESS_FIELD, PLAIN);
    }
    TRY(allocate_speeds(s));
    TRY(sim_extra(s, "counters", (COUNTERS + VOLUME_COUNTERS) * sizeof(counter), &p));
    s->counters = p;
    TRY(sim_extra(s, "clock", sizeof(struct clock), &p));
    s->clock = p;
    return ERR_OK;
}

/* Rates of x and of y have half of it each: their sum is the same then if x and y change places. */
static void share_force(const struct sim *s, void *force, size_t bytes)
{
    const size_t n = bytes / s->real_size;
    for (size_t k = 0; k < n && s->scheme->rates == 2; k++)
        if (s->real_size == sizeof(float))
            ((float *)force)[k] *= 0.5f;
        else
            ((double *)force)[k] *= 0.5;
}

static enum err upload(struct sim *s)
{
    struct initial *in = s->initial;
    TRY(s->backend->upload(s->device, s->storage[BED_FIELD], in->bed, in->field_bytes));
    TRY(s->backend->upload(s->device, s->storage[CENTRE_FIELD], in->centre, in->field_bytes));
    if (s->rough)
        TRY(s->backend->upload(s->device, s->storage[ROUGHNESS_FIELD], in->roughness,
                               in->field_bytes));
    for (int k = 0; k < 3; k++)
        TRY(s->backend->upload(s->device, s->storage[k], in->field[k], in->field_bytes));
    for (int k = 0; k < 3 && s->forced; k++) {
        share_force(s, in->force[k], in->field_bytes);
        TRY(s->backend->upload(s->device, s->storage[3 * (STATES + RATES) + k], in->force[k],
                               in->field_bytes));
    }
    return s->backend->upload(s->device, s->clock, &s->now, sizeof s->now);
}

/* The longest step in which C dx / dt covers sqrt(g P dt), the celerity of what a rate P of depth makes
 * of dry land. */
static double longest_forced(const struct sim *s)
{
    const double rate = s->initial->force_most;
    const double reach = s->config->cfl * fmin(s->grid.dx, s->grid.dy);
    return rate > 0 ? cube_root(reach * reach / (s->physics.g * rate)) : 1e300;
}

static void start_clock(struct sim *s)
{
    const struct config *c = s->config;
    s->now = (struct clock){
        .t_end = s->t_end,
        .t_pause = (double)INFINITY,
        .courant = c->cfl,
        .fixed_dt = isnan(c->dt) ? 0 : c->dt,
        .dt_factor = c->dt_factor,
        .dt_cap = 1e300,
        .dt_forced = longest_forced(s),
        .dt_at_rest = downhill_longest(s->initial, &s->grid, s->physics.g, c->cfl),
        .dt_most = 1e300,
        .dt_min = (double)INFINITY,
        .step_limit = sim_step_limit(s),
        .map_age = ~0ul >> 1, /* there is none yet */
    };
    if (c->cfl > s->scheme->cfl && isnan(c->dt))
        log_warning("Courant number %g is above the %g that scheme %s claims to be stable at",
                    c->cfl, s->scheme->cfl, s->scheme->name);
}

/* Both views of a field must fit. */
static void lay_out(struct sim *s)
{
    s->pitch[PLAIN] = initial_pitch(s->grid.nx);
    s->pitch[TURNED] = initial_pitch(s->grid.ny);
    s->field_bytes = (size_t)(s->pitch[PLAIN] * initial_rows(s->grid.ny)) * s->real_size;
    if (s->scheme->split) {
        size_t turned = (size_t)(s->pitch[TURNED] * initial_rows(s->grid.nx)) * s->real_size;
        s->field_bytes = turned > s->field_bytes ? turned : s->field_bytes;
    }
}

static enum err check_room(const struct sim *s, size_t need, size_t room, const char *where)
{
    const double gib = 1024.0 * 1024.0 * 1024.0;
    if (need > room)
        FAIL(MEMORY,
             "%d x %d cells with scheme %s in %s need %.1f GiB of %s, and %.1f GiB are free: use "
             "fewer cells%s",
             s->grid.nx, s->grid.ny, s->scheme->name,
             s->real_size == sizeof(double) ? "f64" : "f32", (double)need / gib, where,
             (double)room / gib, s->real_size == sizeof(double) ? ", or --precision f32" : "");
    return ERR_OK;
}

/* Before anything is allocated: the system would hand out more than there is, and end the process,
 * or another one, when it is written to. */
static enum err check_memory(const struct sim *s)
{
    /* bed, initial state, forcing, roughness; levels in double while they are sampled */
    const size_t host = ((s->forced ? 8U : 5U) + (s->rough ? 1U : 0U)) * s->field_bytes +
                        (size_t)s->grid.nx * (size_t)s->grid.ny * sizeof(double);
    if (s->backend == &backend_cpu)
        return check_room(s, host + sim_bytes(s), memory_available(), "main memory");
    TRY(check_room(s, host, memory_available(), "main memory"));
    return check_room(s, sim_bytes(s), s->backend->info(s->device)->memory_free, "GPU memory");
}

/* Below a hundredth of a millimetre nobody minds how the bed is rounded. */
static void log_levels(const struct sim *s)
{
    const struct initial *in = s->initial;
    log_info("kappa %.4g m (%s), dry below %.3g m", in->kappa, in->kappa_rule, in->dry);
    log_info("levels are counted from %.9g m; still water at %.9g m", in->datum,
             in->datum + in->still);
    if (in->quantum > 1e-5)
        log_info("levels are rounded to %.2g m: %s resolves no more over %.4g m of relief",
                 in->quantum, precision_names[s->config->precision], in->highest - in->lowest);
}

/* A run over dry land where none comes in takes its time and shows nothing. */
static void warn_of_no_water(const struct sim *s)
{
    if (!s->forced && !s->imposing && !(s->initial->depth_max > 0))
        log_warning("there is no water, and no edge lets any in: nothing will happen; --level or "
                    "--depth puts some on the terrain of a file");
}

static enum err choose_scheme(struct sim *s)
{
    const struct tuned_for run = {s->backend->info(s->device), s->grid.nx, s->grid.ny};
    const struct config *c = s->config;
    if (strcmp(c->scheme, "auto") == 0)
        TRY(tuned_scheme(&run, (enum precision)c->precision, &s->scheme));
    else
        s->scheme = find_scheme(c->scheme);
    if (c->early_exit == EARLY_EXIT_ON && !s->scheme->on_demand)
        log_info("note: scheme %s has no early exit", s->scheme->name);
    return ERR_OK;
}

static enum err build_sim(struct sim *s, const struct setup *original)
{
    struct setup setup = *original;
    if (s->config->sweep == SWEEP_YX)
        TRY(sim_turn(s, &setup));
    s->grid = setup.grid;
    s->t_end = setup.t_end;
    s->gauge_list = setup.gauges && setup.gauges->count > 0 ? setup.gauges : NULL;
    s->gauge_every = setup.gauge_every;
    s->real_size = s->config->precision == F64 ? sizeof(double) : sizeof(float);
    memcpy(s->boundary, setup.boundary, sizeof s->boundary);
    s->imposing = edges_impose(&setup);
    s->edges.series_count = edges_series(&setup);
    s->open_edges = edges_let_water_through(&setup);
    s->forced = setup.source.force != NULL;
    s->rough = setup.source.manning != NULL;
    TRY(open_device(s));
    TRY(choose_scheme(s));
    TRY(sim_check_graphs(s));
    lay_out(s);
    TRY(observers_choose(s));
    TRY(check_memory(s));
    TRY(initial_create(&s->initial, &setup, (enum precision)s->config->precision));
    log_levels(s);
    warn_of_no_water(s);
    sim_set_physics(s, &setup);
    start_clock(s);
    TRY(sim_kernels_load(s));
    TRY(allocate(s));
    TRY(upload(s));
    TRY(sim_edges_create(s, &setup));
    TRY(sim_volume(s, &s->volume0));
    s->force_sum = s->initial->force_sum;
    initial_drop_state(s->initial);
    if (s->scheme->setup)
        TRY(s->scheme->setup(s));
    TRY(observers_create(s));
    return sim_check_graphs(s); /* again: now it is known whether there is early exit */
}

enum err sim_create(struct sim **out, const struct setup *setup)
{
    struct sim *s = calloc(1, sizeof *s);
    if (!s)
        FAIL(MEMORY, "no memory for a simulation");
    s->config = setup->config;
    enum err e = build_sim(s, setup);
    if (e)
        sim_destroy(s);
    else
        *out = s;
    return e;
}

void sim_destroy(struct sim *s)
{
    if (!s)
        return;
    if (s->device) {
        if (s->scheme && s->scheme->teardown)
            s->scheme->teardown(s);
        if (s->graph)
            s->backend->graph_free(s->device, s->graph);
        for (size_t k = 0; k < sizeof s->storage / sizeof *s->storage; k++)
            s->backend->release(s->device, s->storage[k]);
        for (size_t k = 0; k < sizeof s->extra / sizeof *s->extra; k++)
            s->backend->release(s->device, s->extra[k]);
        observers_destroy(s);
        sim_kernels_unload(s);
        s->backend->close(s->device);
    }
    initial_destroy(s->initial);
    free(s->segments);
    free(s);
}
