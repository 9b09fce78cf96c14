/* Runs up to the stage's step, and keeps what its kernels read. */
#include "experiments/tuner/stage_parts.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/registry/registry.h"
#include "kernels/fused.h"

/* Least steps: the first ones of a scheme may differ. Smallest block there is room for, in cells;
 * how often a rejected step is tried again. */
enum { LEAST_STEPS = 3, SMALLEST_BLOCK = 4, TRIES = 20 };
static const double NEVER = 1e6; /* s */

static enum err places_of(const struct kernel *k, const struct argument_places **takes)
{
    *takes = k->takes;
    if (!k->takes)
        FAIL(KERNEL,
             "cannot tune kernel %s: its description does not say what kernels/%s reads and "
             "writes: add .takes, as in kernels/rk.c",
             k->name, k->file);
    return ERR_OK;
}

enum err stage_counts(const struct kernel *k, const void *args, int *counts)
{
    const struct argument_places *takes;
    int turned = 0;
    TRY(places_of(k, &takes));
    if (takes->turns)
        memcpy(&turned, (const char *)args + takes->turns, sizeof turned);
    *counts = turned || !k->turns;
    return ERR_OK;
}

enum err stage_room(struct stage *s, size_t bytes, void **p)
{
    const int most = (int)(sizeof s->owned / sizeof *s->owned);
    if (s->owned_count == most)
        FAIL(MEMORY, "a stage of scheme %s takes more than %d pieces of memory", s->config.scheme,
             most);
    TRY(s->sim->backend->alloc(s->sim->device, bytes, p));
    s->owned[s->owned_count++] = *p;
    return s->sim->backend->fill(s->sim->device, *p, 0, bytes);
}

struct capture *stage_capture(struct stage *s, const struct kernel *k)
{
    for (int n = 0; n < s->captures; n++)
        if (s->capture[n].recipe.kernel == k)
            return &s->capture[n];
    return NULL;
}

int stage_has(struct stage *s, const struct kernel *k)
{
    return stage_capture(s, k) != NULL;
}

/* Copies a field that the launch is about to read, unless this launch reads it twice and it was; makes
 * the pointer in the arguments one to the copy. */
static enum err keep_field(struct stage *s, struct capture *c, real **field,
                           const real *source[MOST_FIELDS])
{
    const struct sim *sim = s->sim;
    long pitch;
    int n = 0;
    while (source[n] && source[n] != *field)
        n++;
    const int seen = source[n] != NULL;
    source[n] = *field;
    c->fields = n < c->fields ? c->fields : n + 1;
    if (s->counting)
        return ERR_OK;
    memcpy(&pitch, c->args + c->takes->pitch, sizeof pitch);
    const size_t first = sim_first_cell(sim, pitch);
    const char *from = (const char *)*field - first;
    *field = (void *)((char *)c->copy[n] + first);
    return seen ? ERR_OK : sim->backend->copy(sim->device, c->copy[n], from, sim->field_bytes);
}

/* The last launch of a kernel in the step, of those that count. */
static enum err keep(struct stage *s, const struct sim_kernel *k, const void *args, size_t bytes)
{
    const real *source[MOST_FIELDS + 1] = {NULL};
    struct capture *c = stage_capture(s, k->recipe.kernel);
    if (!c)
        c = &s->capture[s->captures++];
    c->recipe = k->recipe;
    c->recipe.fills_ghosts = 0; /* as in recipe_digests: rows are of the text without */
    TRY(places_of(k->recipe.kernel, &c->takes));
    if (bytes != c->takes->bytes || bytes > sizeof c->args)
        FAIL(KERNEL, "%s takes %zu bytes of arguments, not the %zu of kernels/%s",
             k->recipe.kernel->name, bytes, c->takes->bytes, k->recipe.kernel->file);
    memcpy(c->args, args, bytes);
    for (int n = 0; n < MOST_INPUTS && c->takes->in[n]; n++) {
        real *f[MOST_OUTPUTS];
        const int count = places_in(c->takes);
        memcpy(f, c->args + c->takes->in[n], (size_t)count * sizeof *f);
        for (int m = 0; m < count; m++)
            TRY(keep_field(s, c, &f[m], source));
        memcpy(c->args + c->takes->in[n], f, (size_t)count * sizeof *f);
    }
    return ERR_OK;
}

static enum err told(void *context, struct sim_kernel *k, const void *args, size_t bytes)
{
    struct stage *s = context;
    if (strcmp(k->recipe.kernel->name, "select") == 0 && bytes == sizeof s->select_args) {
        s->select = k;
        memcpy(&s->select_args, args, bytes);
    }
    int counts;
    /* Kernels without a description are not requested: stages_for rejects them. */
    if (!k->recipe.kernel->tuned || stage_counts(k->recipe.kernel, args, &counts) || !counts)
        return ERR_OK;
    return keep(s, k, args, bytes);
}

/* One step with the hook; a split scheme may reject one, whose launches do nothing. */
static enum err step_watched(struct stage *s, int counting)
{
    struct sim *sim = s->sim;
    enum err e = ERR_OK;
    s->counting = counting;
    sim->hook = (struct launch_hook){told, s};
    for (int k = 0; k < TRIES && !e; k++) {
        s->steps = sim->now.steps;
        s->t = sim->now.t;
        e = sim_step_many(sim, 1);
        if (sim->now.steps > s->steps)
            break;
    }
    sim->hook.told = NULL;
    if (!e && sim->now.steps == s->steps)
        FAIL(CHECK, "scheme %s rejected a step %d times: try another --cfl", s->config.scheme,
             TRIES);
    return e;
}

static size_t rounded(size_t bytes, size_t to)
{
    return (bytes + to - 1) / to * to;
}

/* Cells in each direction, transposed or not, cut into the smallest blocks. */
static long most_blocks(const struct grid_info *g)
{
    const long nx = g->nx, ny = g->ny, b = SMALLEST_BLOCK;
    const long wide = (nx + b - 1) / b * ny, high = (ny + b - 1) / b * nx;
    return wide > high ? wide : high;
}

/* What the copies and the two sets of outputs take. */
static enum err check_room(const struct stage *s)
{
    const struct sim *sim = s->sim;
    const struct device_info *i = sim->backend->info(sim->device);
    const double gib = 1024.0 * 1024.0 * 1024.0;
    size_t need = 6 * s->room + 2 * (size_t)s->most_blocks * sim->real_size, have = i->memory_free;
    for (int k = 0; k < s->captures; k++)
        need += (size_t)s->capture[k].fields * s->room;
    if (sim->backend == &backend_cpu)
        have = memory_available(); /* the simulation's own has been taken */
    else
        need += sim_bytes(sim);
    if (need > have)
        FAIL(MEMORY,
             "tuning the kernels of scheme %s at %d x %d cells takes %.1f GiB of memory, and %.1f "
             "GiB are free: choose a smaller --nx%s",
             s->config.scheme, sim->grid.nx, sim->grid.ny, (double)need / gib, (double)have / gib,
             sim->real_size == sizeof(double) ? " or --precision f32" : "");
    log_info("%d kernels of scheme %s to launch again: %.2f GiB", s->captures, s->config.scheme,
             (double)need / gib);
    return ERR_OK;
}

static enum err allocate(struct stage *s)
{
    const struct sim *sim = s->sim;
    const size_t blocks = (size_t)s->most_blocks;
    const int longest = sim->grid.nx > sim->grid.ny ? sim->grid.nx : sim->grid.ny;
    void *p;
    for (int k = 0; k < s->captures; k++)
        for (int n = 0; n < s->capture[k].fields; n++)
            TRY(stage_room(s, s->room, &s->capture[k].copy[n]));
    for (int n = 0; n < 3; n++) {
        TRY(stage_room(s, s->room, &s->got.field[n]));
        TRY(stage_room(s, s->room, &s->want.field[n]));
    }
    TRY(stage_room(s, blocks * sim->real_size, &s->speeds));
    TRY(stage_room(s, blocks * sim->real_size, &s->active));
    TRY(stage_room(s, sizeof *s->ahead, &p));
    s->ahead = p;
    s->counters = (char *)p + offsetof(struct ahead, counters);
    TRY(stage_room(s, (size_t)longest * sim->real_size, &s->rim));
    TRY(stage_room(s, VOLUME_COUNTERS * sizeof(counter), &s->booked));
    TRY(stage_room(s, sim->real_size, &s->excess));
    TRY(stage_room(s, sizeof(int), &s->away));
    for (int pass = 0; pass < 2; pass++) {
        TRY(stage_room(s, sizeof(struct clock), &p));
        s->clock[pass] = p;
    }
    return stage_compare_load(s);
}

/* One that always runs, with the step's dt; `select` goes by the age of the map. What is tried is what the
 * step took. */
static enum err start_clocks(struct stage *s)
{
    const struct ahead tried = {.dt = s->sim->now.dt, .single = s->sim->now.dt_single};
    TRY(s->sim->backend->upload(s->sim->device, s->ahead, &tried, sizeof tried));
    for (int pass = 0; pass < 2; pass++) {
        struct clock c = s->sim->now;
        c.halt = RUNNING;
        c.rejected = 0;
        c.map_age = pass == ALL_BLOCKS ? 2 : 0;
        TRY(s->sim->backend->upload(s->sim->device, s->clock[pass], &c, sizeof c));
    }
    return ERR_OK;
}

/* Points what is written, and the clock, to the stage's own. */
static void redirect(struct stage *s, struct capture *c)
{
    const struct argument_places *g = c->takes;
    const void *const clock = s->clock[MOVING_BLOCKS], *const ahead = s->ahead;
    memcpy(c->args + g->clock, &clock, sizeof clock);
    if (g->speeds)
        memcpy(c->args + g->speeds, &s->speeds, sizeof s->speeds);
    if (g->counters)
        memcpy(c->args + g->counters, &s->counters, sizeof s->counters);
    if (g->ahead)
        memcpy(c->args + g->ahead, &ahead, sizeof ahead);
    if (g->booked)
        memcpy(c->args + g->booked, &s->booked, sizeof s->booked);
    if (g->excess)
        memcpy(c->args + g->excess, &s->excess, sizeof s->excess);
    if (g->away)
        memcpy(c->args + g->away, &s->away, sizeof s->away);
    for (int e = 0; g->rim && e < EDGES; e++) {
        const size_t at = g->rim + (size_t)e * sizeof(void *);
        void *rim;
        memcpy(&rim, c->args + at, sizeof rim);
        if (rim) /* the result is not used, so all edges share one */
            memcpy(c->args + at, &s->rim, sizeof s->rim);
    }
}

static enum err run_up_to_it(struct stage *s)
{
    const int steps = s->setup.steps > LEAST_STEPS ? s->setup.steps : LEAST_STEPS;
    TRY(sim_step_many(s->sim, steps - 1));
    TRY(step_watched(s, 1));
    if (s->captures == 0)
        FAIL(KERNEL, "scheme %s launches no kernel that can be tuned", s->config.scheme);
    s->room = rounded(s->sim->field_bytes, COMPARED_ROW * s->sim->real_size);
    s->most_blocks = most_blocks(&s->sim->grid);
    TRY(check_room(s));
    stage_compile_references(s);
    stage_bind(s); /* not earlier: compilers would be bound, too; memory is near its first user */
    TRY(allocate(s));
    TRY(step_watched(s, 0));
    TRY(start_clocks(s));
    for (int k = 0; k < s->captures; k++)
        redirect(s, &s->capture[k]);
    if (s->select)
        TRY(stage_find_moving(s));
    return ERR_OK;
}

static void configure(struct stage *s)
{
    struct config *c = &s->config;
    *c = s->setup.config;
    snprintf(c->scheme, sizeof c->scheme, "%s", s->setup.scheme);
    const struct scheme *scheme = find_scheme(s->setup.scheme);
    c->cfl = c->positivity == BY_DRAINING ? scheme->drained_cfl : fmin(c->cfl, scheme->cfl);
    c->early_exit = s->setup.early_exit ? EARLY_EXIT_ON : EARLY_EXIT_OFF;
    c->tuned = 0; /* the state must not depend on earlier tuning */
    c->block_count = 0;
    c->steps = 0;
    c->t_end = NEVER;
}

/* One that the flow stands: half of its first one. */
static enum err choose_step(struct config *c)
{
    struct problem p;
    struct sim *sim = NULL;
    TRY(problem_open(&p, c));
    enum err e = sim_create(&sim, &p.setup);
    if (!e)
        e = sim_step_many(sim, 1);
    if (!e)
        c->dt = sim->now.dt / 2;
    sim_destroy(sim);
    problem_close(&p);
    return e;
}

enum err stage_create(struct stage **out, const struct stage_setup *setup)
{
    enum err e = ERR_OK;
    struct stage *s = calloc(1, sizeof *s);
    if (!s)
        FAIL(MEMORY, "no memory for a stage");
    s->setup = *setup;
    configure(s);
    if (setup->fixed)
        TRY_OUT(choose_step(&s->config));
    TRY_OUT(problem_open(&s->problem, &s->config));
    TRY_OUT(sim_create(&s->sim, &s->problem.setup));
    TRY_OUT(run_up_to_it(s));
    *out = s;
    return ERR_OK;
out:
    stage_destroy(s);
    return e;
}

void stage_destroy(struct stage *s)
{
    if (!s)
        return;
    if (s->sim) {
        const struct backend *b = s->sim->backend;
        for (int k = 0; k < MOST_LOADED; k++)
            stage_shut(s, s->slot[k]);
        for (int k = 0; k < s->captures; k++)
            stage_shut(s, s->capture[k].reference.strict);
        b->unload(s->sim->device, s->compare.loaded);
        for (int k = 0; k < s->owned_count; k++)
            b->release(s->sim->device, s->owned[k]);
        stage_unbind(s);
    }
    sim_destroy(s->sim);
    problem_close(&s->problem);
    free(s->moving);
    free(s);
}

enum err stage_recipe(const struct stage_setup *setup, const struct kernel *k, struct block b,
                      struct recipe *r)
{
    const struct config *c = &setup->config;
    struct problem p;
    enum err e = problem_open(&p, c);
    const int friction = p.setup.manning > 0 || p.setup.drag > 0;
    problem_close(&p);
    *r = (struct recipe){
        .kernel = k,
        .block = b,
        .precision = (enum precision)c->precision,
        .mode = (enum mode)c->mode,
        .order = c->order,
        .on_cpu = strcmp(c->backend, backend_cpu.name) == 0 && !c->order,
        .friction = friction,
        .draining = c->positivity == BY_DRAINING,
        .switches = c->define,
        .limiter = c->limiter,
        .flux = c->flux,
        .reconstruction = c->reconstruction,
    };
    return e;
}

void stage_describe(const struct stage *s, char *text, size_t n)
{
    const struct grid_info *g = &s->sim->grid;
    char exits[64] = "";
    if (s->select)
        snprintf(exits, sizeof exits, ", early exit, %.1f %% of the cells move",
                 100 * s->moving_share);
    snprintf(text, n, "%s %dx%d after %lu %ssteps of %s%s%s, t = %.4g s%s", s->problem.name, g->nx,
             g->ny, s->steps, s->setup.fixed ? "equal " : "", s->config.scheme,
             *s->config.define ? " with " : "", s->config.define, s->t, exits);
}
