/* The kernels of a simulation: recipes from the configuration, compiled in parallel, launched. */
#include "core/sim_kernels.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/log.h"
#include "core/place.h"

/* The block that --block chose for a kernel, by its name or its stem; else the default. */
static struct block chosen_block(const struct config *c, const struct kernel *k, int backend)
{
    /* The debug orders play a GPU's threads: so are their blocks. */
    struct block b = k->block[c->order ? CUDA : backend];
    for (int n = 0; n < c->block_count; n++)
        if (strcmp(c->blocks[n].kernel, k->name) == 0 || strcmp(c->blocks[n].kernel, k->stem) == 0)
            b = c->blocks[n].block;
    return b;
}

static enum err make_recipe(struct sim *s, const char *name, struct sim_kernel *k)
{
    const struct config *c = s->config;
    int backend = s->backend == &backend_cuda ? CUDA : CPU;
    const struct kernel *kernel = find_kernel(name);
    if (!kernel)
        FAIL(KERNEL, "scheme %s launches kernel %s, which no table in kernels/ has",
             s->scheme->name, name);
    k->recipe = (struct recipe){
        .kernel = kernel,
        .block = chosen_block(c, kernel, backend),
        .precision = (enum precision)c->precision,
        .mode = (enum mode)c->mode,
        .order = c->order,
        .switches = c->define,
        .friction = s->physics.friction > 0 || s->physics.drag > 0,
        .limiter = c->limiter,
        .flux = c->flux,
        .reconstruction = c->reconstruction,
    };
    int threads = k->recipe.block.w * k->recipe.block.h;
    if ((backend == CUDA || c->order) && threads > 1024)
        FAIL(USAGE, "--block %s=%dx%d: %d threads, and a block has at most 1024", name,
             k->recipe.block.w, k->recipe.block.h, threads);
    return ERR_OK;
}

/* Compiles in parallel what the cache lacks, and loads. */
static enum err load(struct sim *s, struct sim_kernel *all[], int n)
{
    char(*path)[PATH_LENGTH] = calloc((size_t)n, sizeof *path);
    char message[4096] = "";
    enum err e = ERR_OK, failed = ERR_OK;
    if (!path)
        FAIL(MEMORY, "no memory for file names");
#pragma omp parallel for schedule(dynamic, 1)
    for (int k = 0; k < n; k++) {
        if (s->backend->compile(s->device, &all[k]->recipe, path[k])) {
#pragma omp critical
            {
                failed = err_last();
                snprintf(message, sizeof message, "%s", err_message());
            }
        }
    }
    if (failed)
        e = err_set(failed, __FILE__, __LINE__, "%s", message);
    for (int k = 0; k < n && !e; k++)
        e = s->backend->load(s->device, &all[k]->recipe, path[k], &all[k]->loaded);
    free(path);
    return e;
}

/* The kernels of the scheme with indices from..to-1, and how many there are. */
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

/* Names that --block mentions and this run does not launch are worth a word. */
static void note_unused_blocks(struct sim *s)
{
    const struct config *c = s->config;
    for (int b = 0; b < c->block_count; b++) {
        const char *name = c->blocks[b].kernel;
        int used = strcmp(name, "boundary") == 0 || strcmp(name, "clock") == 0 ||
                   (s->open_edges && strcmp(name, "inflow") == 0) ||
                   (s->forced && strcmp(name, "forcing") == 0);
        for (int k = 0; s->scheme->kernels[k]; k++)
            used |= strcmp(name, s->kernels[k].recipe.kernel->name) == 0 ||
                    strcmp(name, s->kernels[k].recipe.kernel->stem) == 0;
        if (!used)
            log_info("note: --block %s: this run does not launch it", name);
    }
}

/* A misspelt switch would change nothing, and an experiment would compare a kernel with itself. */
static enum err check_switches(struct sim *s)
{
    const char *left = s->config->define;
    while (*left) {
        char name[NAME_LENGTH];
        int known = 0;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(left, "=,"), left);
        for (int k = 0; s->scheme->kernels[k] && !known; k++)
            TRY(recipe_mentions(&s->kernels[k].recipe, name, &known));
        if (!known)
            FAIL(USAGE,
                 "--define: no kernel of scheme %s knows the switch '%s'; the texts in "
                 "kernels/ name theirs with #ifndef",
                 s->scheme->name, name);
        left += strcspn(left, ",");
        left += *left == ',';
    }
    return ERR_OK;
}

enum err sim_kernels_load(struct sim *s)
{
    struct sim_kernel *all[SCHEME_KERNELS + 5];
    const int every = count(s->scheme);
    const int now = s->scheme->on_demand ? s->scheme->on_demand : every;
    if (every > SCHEME_KERNELS)
        FAIL(KERNEL, "scheme %s launches more than %d kernels", s->scheme->name, SCHEME_KERNELS);
    for (int k = 0; k < every; k++)
        TRY(make_recipe(s, s->scheme->kernels[k], &s->kernels[k]));
    TRY(make_recipe(s, "boundary", &s->boundary_kernel[PLAIN]));
    TRY(make_recipe(s, "boundary_t", &s->boundary_kernel[TURNED]));
    TRY(make_recipe(s, "clock", &s->clock_kernel));
    TRY(make_recipe(s, "inflow", &s->inflow_kernel));
    TRY(make_recipe(s, "forcing", &s->forcing_kernel));
    note_unused_blocks(s);
    TRY(check_switches(s));
    int n = list(s, 0, now, all);
    all[n++] = &s->boundary_kernel[PLAIN];
    all[n++] = &s->clock_kernel;
    if (s->scheme->split)
        all[n++] = &s->boundary_kernel[TURNED];
    if (s->open_edges)
        all[n++] = &s->inflow_kernel;
    if (s->forced)
        all[n++] = &s->forcing_kernel;
    return load(s, all, n);
}

enum err sim_load_on_demand(struct sim *s)
{
    struct sim_kernel *all[SCHEME_KERNELS];
    const int from = s->scheme->on_demand;
    if (!from || s->kernels[from].loaded)
        return ERR_OK;
    TRY(s->backend->sync(s->device)); /* compiling is no stepping: nothing else is under way */
    const double began = omp_get_wtime();
    enum err e = load(s, all, list(s, from, count(s->scheme), all));
    s->wall -= omp_get_wtime() - began;
    return e;
}

void sim_kernels_unload(struct sim *s)
{
    for (int k = 0; k < SCHEME_KERNELS; k++)
        s->backend->unload(s->device, s->kernels[k].loaded);
    for (int v = 0; v < VIEWS; v++)
        s->backend->unload(s->device, s->boundary_kernel[v].loaded);
    s->backend->unload(s->device, s->clock_kernel.loaded);
    s->backend->unload(s->device, s->inflow_kernel.loaded);
    s->backend->unload(s->device, s->forcing_kernel.loaded);
}

static int blocks(int cells, int size)
{
    return (cells + size - 1) / size;
}

long sim_blocks(const struct sim *s, const struct sim_kernel *k, enum view v)
{
    const int nx = v == TURNED ? s->grid.ny : s->grid.nx;
    const int ny = v == TURNED ? s->grid.nx : s->grid.ny;
    return (long)blocks(nx, k->recipe.block.w) * blocks(ny, k->recipe.block.h);
}

/* Blocks for a kernel that takes its blocks from a list: as many as the device can run at once. */
static struct span resident(const struct sim *s, const struct sim_kernel *k, struct span all)
{
    const int threads = k->recipe.block.w * k->recipe.block.h;
    const long most = (long)s->backend->info(s->device)->units * (2048 / threads);
    const long every = (long)all.nx * all.ny;
    return (struct span){(int)(every < most ? every : most), 1};
}

/* Between two marks, waiting for the second. */
static enum err launch_timed(struct sim *s, struct sim_kernel *k, struct span blocks_of,
                             const void *args, size_t bytes)
{
    enum { BEFORE = MARKS - 2, AFTER = MARKS - 1 };
    double seconds = 0;
    TRY(s->backend->mark(s->device, BEFORE));
    TRY(s->backend->launch(s->device, k->loaded, blocks_of.nx, blocks_of.ny, args, bytes));
    TRY(s->backend->mark(s->device, AFTER));
    TRY(s->backend->between(s->device, BEFORE, AFTER, &seconds));
    k->seconds += seconds;
    k->launches++;
    return ERR_OK;
}

enum err sim_launch(struct sim *s, struct sim_kernel *k, const void *args, size_t bytes)
{
    _Alignas(16) unsigned char copy[1024];
    const size_t head = bytes - sizeof(struct physics); /* kernels/args.h: physics comes last */
    const size_t single = (head + PHYSICS_REALS * sizeof(float) + 7) / 8 * 8;
    const size_t size = k->recipe.precision == F32 ? single : bytes;
    struct span span;
    if (bytes > sizeof copy)
        FAIL(KERNEL, "the arguments of %s are larger than %zu bytes", k->recipe.kernel->name,
             sizeof copy);
    memcpy(copy, args, bytes);
    memcpy(&span, args, sizeof span);
    if (k->recipe.precision == F32) {
        for (size_t m = 0; m < PHYSICS_REALS; m++) {
            double x;
            memcpy(&x, (const unsigned char *)args + head + m * sizeof x, sizeof x);
            float f = (float)x;
            memcpy(copy + head + m * sizeof f, &f, sizeof f);
        }
    }
    struct span grid = {blocks(span.nx, k->recipe.block.w), blocks(span.ny, k->recipe.block.h)};
    if (k->recipe.kernel->listed && s->backend == &backend_cuda)
        grid = resident(s, k, grid);
    if (s->trail && s->trail->count++ < s->trail->room)
        s->trail->at[s->trail->count - 1] = k;
    if (s->profiling)
        return launch_timed(s, k, grid, copy, size);
    return s->backend->launch(s->device, k->loaded, grid.nx, grid.ny, copy, size);
}
