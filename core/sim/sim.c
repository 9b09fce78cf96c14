/* Creating a simulation: device, problem, kernels, content; and its end. */
#include "core/sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device/gpu_probe.h"
#include "core/device/mates.h"
#include "core/problem/initial_state.h"
#include "core/base/log.h"
#include "core/base/reals.h"
#include "core/sim/active_tiles.h"
#include "core/sim/alternation.h"
#include "core/sim/apron.h"
#include "core/sim/kernels.h"
#include "core/sim/observer.h"
#include "core/sim/rain.h"
#include "core/sim/sections.h"
#include "core/sim/soil.h"
#include "core/sim/springs.h"
#include "core/sim/parts.h"
#include "core/sim/rehearsal.h"
#include "core/sim/sim_parts.h"
#include "core/sim/sparse.h"
#include "core/sim/tiling.h"
#include "core/sim/upload.h"

/* Logs which backend was chosen and why. */
static enum err choose_backend(struct sim *s)
{
    const struct config *c = s->config;
    const int device = c->devices.count > 0 ? c->devices.of[0] : c->device;
    char why[512] = "";
    if (strcmp(c->backend, "auto") != 0) {
        for (int k = 0; k < BACKENDS; k++)
            if (strcmp(c->backend, backends[k]->name) == 0)
                s->backend = backends[k];
        if (!s->backend)
            FAIL(USAGE, "unknown backend '%s'", c->backend);
        if (!s->backend->available(device, why, sizeof why))
            FAIL(ABSENT, "backend %s: %s", c->backend, why);
        return ERR_OK;
    }
    if (c->order) { /* only the CPU has the debug orders */
        s->backend = &backend_cpu;
        snprintf(why, sizeof why, "--order needs it");
    } else if (backend_cuda.available(device, why, sizeof why)) {
        s->backend = &backend_cuda;
        snprintf(why, sizeof why, "found a GPU");
    } else if (c->devices.all || c->devices.count > 0) {
        FAIL(ABSENT, "--devices: %s; to use the CPU, omit it", why);
    } else {
        TRY(gpu_spared(device, why));
        s->backend = &backend_cpu;
    }
    log_info("backend %s: %s", s->backend->name, why);
    return ERR_OK;
}

static enum err open_device(struct sim *s, const struct ranks *ranks)
{
    const struct config *c = s->config;
    TRY(choose_backend(s));
    TRY(sim_choose_devices(s, ranks));
    struct device_options o = {
        .device = s->devices.of[0], .threads = c->threads, .order = c->order, .march = c->march};
    if (c->order && s->backend != &backend_cpu)
        FAIL(USAGE, "--order needs --backend cpu");
    TRY(s->backend->open(&s->device, &o));
    const struct device_info *d = s->backend->info(s->device);
    log_info("%s: %s (%s), %d %s, kernels by %s", s->backend->name, d->name, d->target, d->units,
             s->backend == &backend_cuda ? "multiprocessors" : "threads", d->compiler);
    if (c->mode == STRICT && d->no_fma)
        log_warning("strict mode fuses products with sums, for which %s has no instruction: the "
                    "run takes 5 to 20 times as long; --mode fast does not, nor a --march with it",
                    d->target);
    return ERR_OK;
}

double sim_cells(const struct sim *s)
{
    return (double)s->grid.nx * s->grid.ny;
}

unsigned long sim_step_limit(const struct sim *s)
{
    return s->config->steps > 0 ? (unsigned long)s->config->steps : ~0ul;
}

/* Rounding of the bed below a hundredth of a millimetre goes unreported. */
static void log_levels(const struct sim *s)
{
    const struct initial *in = s->initial;
    log_info("kappa %.4g m (%s), dry below %.3g m", in->kappa, in->kappa_rule, in->dry);
    log_info("levels count from %.9g m; still water at %.9g m", in->datum, in->datum + in->still);
    if (in->quantum > 1e-5)
        log_info("rounds levels to %.2g m: %s resolves no more over %.4g m of relief", in->quantum,
                 precision_names[s->config->precision], in->highest - in->lowest);
}

/* A run over dry land without inflow takes time and shows nothing. */
static void warn_of_no_water(const struct sim *s)
{
    if (!s->forced && !s->initial->is_fed && !s->imposing && !(s->initial->depth_max > 0))
        log_warning("there is no water, and no edge lets any in: nothing will happen; put some on "
                    "a file's terrain with --level or --depth");
}

/* Options about water, meaningless without it. */
static enum err check_bedless(const struct sim *s)
{
    const struct config *c = s->config;
    const struct {
        int given;
        const char *option;
    } of_water[] = {
        {s->added[RAIN_KERNEL], "--rain"},
        {s->added[SOIL_KERNEL], "--infiltration"},
        {s->added[SPRINGS_KERNEL], "--source"},
        {s->rough, "--manning"},
        {c->maxima, "--maxima"},
        {c->hazard, "--hazard"},
        {c->live, "--live"},
        {c->sweep == SWEEP_YX, "--sweep yx"},
    };
    for (size_t k = 0; k < sizeof of_water / sizeof *of_water && !s->system->over_bed; k++)
        if (of_water[k].given)
            FAIL(USAGE, "%s: this run's system, %s, has no water over a bed: omit it",
                 of_water[k].option, s->system->name);
    return ERR_OK;
}

static enum err upload_rise(struct sim *s, const struct setup *setup)
{
    char rise[sizeof setup->rise] = {0};
    int any = 0;
    for (size_t k = 0; k < 2 * (size_t)UNKNOWNS; k++) {
        const double x = setup->rise[k / UNKNOWNS][k % UNKNOWNS];
        reals_put(rise, s->real_size, k, x);
        any |= x < 0 || x > 0;
    }
    return any ? sim_constant(s, "rise", rise, sizeof rise, &s->rise) : ERR_OK;
}

enum err sim_load(struct sim *s)
{
    TRY(sim_kernels_load(s));
    return sim_allocate(s);
}

enum err sim_furnish(struct sim *s, const struct setup *setup)
{
    TRY(upload_rise(s, setup));
    TRY(tiling_create(s));
    TRY(sim_edges_create(s, setup));
    TRY(sim_rain_create(s, setup));
    TRY(sim_soil_create(s, setup));
    TRY(sim_springs_create(s, setup));
    TRY(sim_sections_create(s, setup));
    if (s->scheme->setup)
        TRY(s->scheme->setup(s));
    TRY(alternation_create(s));
    TRY(observers_create(s));
    return sparse_furnish(s);
}

static enum err create_one(struct sim *s, const struct setup *setup)
{
    TRY(sim_load(s));
    TRY(sim_upload(s));
    return sim_furnish(s, setup);
}

static void note_open_sides(struct sim *s, const struct setup *setup)
{
    for (int e = 0; e < EDGES; e++)
        s->open_sides |= (setup->boundary[e] != WALL) << e;
    for (int k = 0; k < setup->segment_count; k++)
        s->open_sides |= (setup->segments[k].kind != WALL) << setup->segments[k].edge;
}

/* The problem and the method. */
static enum err take_problem(struct sim *s, struct setup *setup)
{
    if (s->config->sweep == SWEEP_YX)
        TRY(sim_turn(s, setup));
    s->grid = setup->grid;
    s->t_end = setup->t_end;
    s->gauge_list = setup->gauges && setup->gauges->count > 0 ? setup->gauges : NULL;
    s->gauge_every = setup->gauge_every;
    s->spring_list = setup->springs;
    s->real_size = precision_size((enum precision)s->config->precision);
    memcpy(s->boundary, setup->boundary, sizeof s->boundary);
    s->imposing = edges_impose(setup);
    note_open_sides(s, setup);
    s->edges.series_count = edges_series(setup);
    s->open_edges = edges_let_water_through(setup);
    s->forced = setup->source.force || setup->source.added;
    s->rough = setup->source.manning != NULL;
    s->added[RAIN_KERNEL] = setup->rain != NULL;
    s->added[SOIL_KERNEL] = setup->soil != NULL;
    s->added[SPRINGS_KERNEL] = setup->springs != NULL;
    s->added[SECTIONS_KERNEL] = setup->sections != NULL;
    TRY(open_device(s, setup->ranks));
    TRY(sim_choose_scheme(s, setup));
    return check_bedless(s);
}

static enum err build_sim(struct sim *s, const struct setup *original)
{
    struct setup setup = *original;
    if (s->config->ranks > 1 && !setup.ranks)
        TRY(rehearsal_begin(&s->rehearsal, &setup));
    TRY(take_problem(s, &setup));
    TRY(parts_cut(s, setup.ranks));
    TRY(sim_check_graphs(s));
    TRY(tiling_choose(s));
    sim_lay_out(s);
    TRY(observers_choose(s));
    TRY(alternation_choose(s));
    TRY(sim_check_memory(s));
    TRY(initial_create(&s->initial, &setup, (enum precision)s->config->precision));
    TRY(sparse_create(s, &setup));
    if (s->forest) {
        sim_lay_out(s);
        TRY(sim_check_memory(s));
    }
    if (s->system->over_bed) {
        log_levels(s);
        warn_of_no_water(s);
    }
    sim_set_physics(s, &setup);
    sim_start_clock(s);
    TRY(sim_rain_book(s, &setup));
    TRY(s->parts ? parts_create(s, &setup) : create_one(s, &setup));
    if (!sim_leads(s))
        return ERR_OK;
    for (int k = 0; k < s->system->conserveds; k++)
        TRY(sim_total(s, k, &s->total0[k]));
    memcpy(s->force_sum, s->initial->force_sum, sizeof s->force_sum);
    return sim_check_graphs(s); /* again: now it is known whether there is early exit */
}

enum err sim_create(struct sim **out, const struct setup *setup)
{
    struct sim *s = calloc(1, sizeof *s);
    if (!s)
        FAIL(MEMORY, "no memory for a simulation");
    s->config = setup->config;
    const enum err e = build_sim(s, setup);
    if (e) {
        rehearsal_end(&s->rehearsal, e);
        sim_destroy(s);
    } else {
        *out = s;
    }
    return e;
}

void sim_release(struct sim *s)
{
    alternation_destroy(s);
    parts_destroy(s);
    if (s->device) {
        if (s->scheme && s->scheme->teardown)
            s->scheme->teardown(s);
        if (s->graph)
            s->backend->graph_free(s->device, s->graph);
        for (int k = 0; k < s->array_count; k++)
            s->backend->release(s->device, s->array[k].memory);
        sparse_free_room(s);
        observers_destroy(s);
        sim_kernels_unload(s);
        halo_destroy(s);
        rounds_destroy(s);
        mates_leave(s->mates);
        loans_return(s);
        s->backend->close(s->device);
    }
    sim_rain_destroy(s);
    sim_soil_destroy(s);
    sim_springs_destroy(s);
    sim_sections_destroy(s);
    boards_destroy(s);
    apron_destroy(s);
    active_tiles_destroy(s);
    free(s->fed_tiles);
    sparse_destroy(s);
    initial_destroy(s->initial);
    free(s->own_gauges.gauge);
    free(s->gauge_number);
    free(s->segments);
}

void sim_destroy(struct sim *s)
{
    if (s && s->rehearsal) {
        const enum err e = sim_dismiss(s, ERR_OK);
        rehearsal_end(&s->rehearsal, e);
    }
    if (s)
        sim_release(s);
    free(s);
}
