/* The kernels of a simulation: recipes from the configuration, compiled in parallel and loaded. */
#include "core/problem/initial_state.h"
#include "core/sim/kernels.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/sim/kernel_blocks.h"
#include "core/sim/observer.h"
#include "core/sim/own_ghosts.h"
#include "core/sim/parts.h"
#include "core/sim/sparse.h"
#include "core/base/paths.h"

/* Kernels over cells can compute them tile by tile: schemes' kernels, and others that declare it. */
static int is_over_cells(const struct sim *s, const struct sim_kernel *k,
                         const struct kernel *kernel)
{
    return kernel->cells || (k >= s->kernels && k < s->kernels + SCHEME_KERNELS);
}

static enum tiled tiled_as(const struct sim *s, const struct sim_kernel *k,
                           const struct kernel *kernel)
{
    if (!s->tiles.columns || !is_over_cells(s, k, kernel))
        return NOT_TILED;
    return s->mapped && kernel->map == KEEPS_THE_MAP ? MAPPED : TILED;
}

static enum err make_recipe(struct sim *s, const char *name, struct sim_kernel *k)
{
    const struct config *c = s->config;
    const struct kernel *kernel = find_kernel(name);
    if (!kernel)
        FAIL(KERNEL, "scheme %s launches kernel %s, which no table in kernels/ defines",
             s->scheme->name, name);
    k->recipe = (struct recipe){
        .kernel = kernel,
        .precision = (enum precision)c->precision,
        .mode = (enum mode)c->mode,
        .order = c->order,
        .switches = c->define,
        .friction = s->rough ? 2 : s->physics.friction > 0 || s->physics.drag > 0,
        .submerged = s->initial->submerged,
        .tracer = s->system->carried > 0,
        .draining = c->positivity == BY_DRAINING,
        .beside_parts = s->whole && s->imposing,
        .tiled = tiled_as(s, k, kernel),
        .on_cpu = s->backend == &backend_cpu && !c->order,
        .limiter = c->limiter,
        .flux = c->flux,
        .reconstruction = c->reconstruction,
    };
    k->recipe.fills_ghosts = kernel->fills_ghosts && s->own_ghosts;
    k->recipe.meets = kernel->meets && !k->recipe.tiled && rounds_may_meet(s);
    kernel_blocks_choose(s, k);
    const int threads = block_threads(kernel, k->recipe.block);
    if ((s->backend == &backend_cuda || c->order) && threads > 1024)
        FAIL(USAGE, "--block %s=%dx%d: expected at most 1024 threads, got %d", name,
             k->recipe.block.w, k->recipe.block.h, threads);
    return ERR_OK;
}

/* Compiles in parallel what the cache lacks, and loads what is not loaded. `failed` is the first
 * kernel that cannot be. */
static enum err load_all(struct sim *s, struct sim_kernel *all[], int n, int *failed)
{
    char(*path)[PATH_LENGTH] = calloc((size_t)n, sizeof *path);
    char message[4096] = "";
    enum err e = ERR_OK;
    *failed = n;
    if (!path)
        FAIL(MEMORY, "no memory for file names");
#pragma omp parallel for schedule(dynamic, 1)
    for (int k = 0; k < n; k++) {
        if (!all[k]->loaded && s->backend->compile(s->device, &all[k]->recipe, path[k])) {
#pragma omp critical
            if (k < *failed) {
                *failed = k;
                e = err_last();
                snprintf(message, sizeof message, "%s", err_message());
            }
        }
    }
    if (e)
        e = err_set(e, __FILE__, __LINE__, "%s", message);
    for (int k = 0; k < n && !e; k++) {
        *failed = k;
        if (!all[k]->loaded)
            e = s->backend->load(s->device, &all[k]->recipe, path[k], &all[k]->loaded);
    }
    free(path);
    return e;
}

static void take_default(struct sim *s, struct sim_kernel *k)
{
    s->backend->unload(s->device, k->loaded);
    k->loaded = NULL;
    k->recipe.block = kernel_blocks_default(s, k->recipe.kernel);
    k->origin = (struct block_origin){.from = BLOCK_DEFAULT};
}

/* A block tuned elsewhere, or for another text, may exceed a limit here. Kernels that share their
 * block fall back together. False if the block is not to blame. */
static int fall_back(struct sim *s, struct sim_kernel *k)
{
    const struct block tuned = k->recipe.block;
    if (k->origin.from != BLOCK_TUNED)
        return 0;
    log_warning("%s; the tuned block %dx%d of %s is replaced by the default one", err_message(),
                tuned.w, tuned.h, k->recipe.kernel->name);
    for (int m = 0; k->recipe.kernel->listed && s->scheme->kernels[m]; m++)
        if (s->kernels[m].recipe.kernel->listed)
            take_default(s, &s->kernels[m]);
    if (!k->recipe.kernel->listed)
        take_default(s, k);
    return 1;
}

static enum err load(struct sim *s, struct sim_kernel *all[], int n)
{
    for (;;) {
        int failed = 0;
        const enum err e = load_all(s, all, n, &failed);
        const int text = e == ERR_KERNEL; /* a text that does not compile: no block would help */
        if (!e || text || failed == n || !fall_back(s, all[failed]))
            return e;
    }
}

/* The scheme's kernels with indices from..to-1, and their number. */
static int list(struct sim *s, int from, int to, struct sim_kernel *all[])
{
    int n = 0;
    for (int k = from; k < to; k++)
        all[n++] = &s->kernels[k];
    return n;
}

static int count(const struct scheme *scheme)
{
    int n = 0;
    while (scheme->kernels[n])
        n++;
    return n;
}

/* All kernels but the scheme's. */
static int list_others(struct sim *s, struct sim_kernel *all[])
{
    int n = 0;
    for (int k = 0; k < AUXILIARIES; k++)
        if (s->auxiliary[k].recipe.kernel)
            all[n++] = &s->auxiliary[k];
    for (int k = 0; k < s->observer_count; k++)
        if (s->observer[k].kernel.recipe.kernel)
            all[n++] = &s->observer[k].kernel;
    return n;
}

int sim_kernels_all(struct sim *s, struct sim_kernel *all[SIM_KERNELS])
{
    const int n = s->kernels[0].recipe.kernel ? list(s, 0, count(s->scheme), all) : 0;
    return n + list_others(s, all + n);
}

/* A misspelt switch would change nothing, and an experiment would compare a kernel with itself. */
static enum err check_switches(struct sim *s)
{
    const char *left = s->config->define;
    while (*left) {
        char name[NAME_LENGTH];
        int known;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(left, "=,"), left);
        known = own_ghosts_switch(name); /* already checked */
        for (int k = 0; s->scheme->kernels[k] && !known; k++)
            TRY(recipe_mentions(&s->kernels[k].recipe, name, &known));
        if (!known)
            FAIL(USAGE,
                 "--define: no kernel of scheme %s has the switch '%s'; the texts in kernels/ name "
                 "theirs with #ifndef",
                 s->scheme->name, name);
        left += strcspn(left, ",");
        left += *left == ',';
    }
    return ERR_OK;
}

static enum err make_recipes_of_scheme(struct sim *s)
{
    const int n = count(s->scheme);
    if (n > SCHEME_KERNELS)
        FAIL(KERNEL, "scheme %s launches more than %d kernels", s->scheme->name, SCHEME_KERNELS);
    for (int k = 0; k < n; k++)
        TRY(make_recipe(s, s->scheme->kernels[k], &s->kernels[k]));
    return ERR_OK;
}

static enum err make_recipes(struct sim *s)
{
    TRY(make_recipes_of_scheme(s));
    for (int k = 0; k < AUXILIARIES; k++) {
        const char *name = sim_auxiliary_name(s, (enum auxiliary)k);
        if (name)
            TRY(make_recipe(s, name, &s->auxiliary[k]));
    }
    for (int k = 0; k < s->observer_count; k++) {
        struct observing *o = &s->observer[k];
        TRY(make_recipe(s, o->as->kernel, &o->kernel));
        if (o->as->choose_block)
            o->as->choose_block(s, &o->kernel);
    }
    return ERR_OK;
}

/* Whether steps with the map and steps without it are timed: see active_tiles_begin. */
static int is_timed(const struct sim *s)
{
    return s->mapped && !sparse_wanted(s) && s->config->early_exit == EARLY_EXIT_AUTO;
}

/* Those without the map of the scheme's first n kernels, and their number. */
static int list_unmapped(struct sim *s, int n, struct sim_kernel own[], struct sim_kernel *all[])
{
    int found = 0;
    for (int k = 0; k < n; k++) {
        own[k] = s->kernels[k];
        own[k].recipe.tiled = TILED;
        if (s->kernels[k].recipe.tiled == MAPPED && is_timed(s))
            all[found++] = &own[k];
    }
    return found;
}

enum err sim_kernels_load(struct sim *s)
{
    struct sim_kernel unmapped[SCHEME_KERNELS], *all[SIM_KERNELS + SCHEME_KERNELS];
    const int now = s->scheme->on_demand ? s->scheme->on_demand : count(s->scheme);
    TRY(own_ghosts_choose(s));
    TRY(make_recipes(s));
    kernel_blocks_note_unused(s);
    TRY(check_switches(s));
    TRY(kernel_blocks_take_tuned(s));
    int n = list(s, 0, now, all);
    n += list_others(s, all + n);
    n += list_unmapped(s, now, unmapped, all + n);
    const enum err e = load(s, all, n);
    for (int k = 0; k < now; k++)
        s->kernels[k].unmapped = s->kernels[k].recipe.tiled == MAPPED ? unmapped[k].loaded : NULL;
    return e;
}

enum err sim_kernels_of_second(struct sim *s, int clocks)
{
    struct sim_kernel *clock = &s->auxiliary[CLOCK_KERNEL];
    TRY(make_recipes_of_scheme(s));
    TRY(kernel_blocks_take_tuned(s));
    if (!clocks)
        return ERR_OK;
    TRY(make_recipe(s, sim_auxiliary_name(s, CLOCK_KERNEL), clock));
    return load(s, &clock, 1);
}

enum err sim_load_on_demand(struct sim *s)
{
    struct sim_kernel *all[SCHEME_KERNELS];
    const int from = s->scheme->on_demand;
    if (!from || s->kernels[from].loaded)
        return ERR_OK;
    TRY(s->backend->sync(s->device)); /* compiling is not stepping: nothing else is running */
    const double began = omp_get_wtime();
    enum err e = load(s, all, list(s, from, count(s->scheme), all));
    s->wall -= omp_get_wtime() - began;
    return e;
}

enum err sim_load_some(struct sim *s, const int kernels[])
{
    struct sim_kernel *all[SCHEME_KERNELS];
    int n = 0;
    for (; kernels[n] >= 0; n++)
        all[n] = &s->kernels[kernels[n]];
    return load(s, all, n);
}

void sim_kernels_unload_second(struct sim *s, int clocks)
{
    for (int k = 0; k < SCHEME_KERNELS; k++)
        s->backend->unload(s->device, s->kernels[k].loaded);
    if (clocks)
        s->backend->unload(s->device, s->auxiliary[CLOCK_KERNEL].loaded);
}

void sim_kernels_unload(struct sim *s)
{
    struct sim_kernel *all[SIM_KERNELS];
    const int n = sim_kernels_all(s, all);
    for (int k = 0; k < n; k++) {
        s->backend->unload(s->device, all[k]->loaded);
        s->backend->unload(s->device, all[k]->unmapped);
    }
}
