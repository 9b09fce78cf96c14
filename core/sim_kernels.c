/* The kernels of a simulation: recipes from the configuration, compiled in parallel, launched. */
#include "core/sim_kernels.h"

#include <stdio.h>
#include <string.h>

#include "core/log.h"
#include "core/place.h"

/* The block that --block chose for a kernel, by its name or its stem; else the default. */
static struct block chosen_block(const struct config *c, const struct kernel *k, int backend)
{
    struct block b = k->block[backend];
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
        .friction = s->physics.friction > 0,
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

/* The sim's kernels as one list, scheme's first. */
static int list(struct sim *s, struct sim_kernel *all[SCHEME_KERNELS + 3])
{
    int n = 0;
    while (n < SCHEME_KERNELS && s->scheme->kernels[n]) {
        all[n] = &s->kernels[n];
        n++;
    }
    all[n++] = &s->boundary_kernel;
    all[n++] = &s->clock_kernel;
    if (s->open_edges)
        all[n++] = &s->inflow_kernel;
    return n;
}

/* Names that --block mentions and this run does not launch are worth a word. */
static void note_unused_blocks(struct sim *s, struct sim_kernel *all[], int n)
{
    const struct config *c = s->config;
    for (int b = 0; b < c->block_count; b++) {
        int used = 0;
        for (int k = 0; k < n; k++)
            used |= strcmp(c->blocks[b].kernel, all[k]->recipe.kernel->name) == 0 ||
                    strcmp(c->blocks[b].kernel, all[k]->recipe.kernel->stem) == 0;
        if (!used)
            log_info("note: --block %s: this run does not launch it", c->blocks[b].kernel);
    }
}

enum err sim_kernels_load(struct sim *s)
{
    struct sim_kernel *all[SCHEME_KERNELS + 3];
    char path[SCHEME_KERNELS + 3][PATH_LENGTH];
    char message[4096] = "";
    enum err failed = ERR_OK;
    int n = 0;

    for (; s->scheme->kernels[n]; n++) {
        if (n == SCHEME_KERNELS)
            FAIL(KERNEL, "scheme %s launches more than %d kernels", s->scheme->name,
                 SCHEME_KERNELS);
        TRY(make_recipe(s, s->scheme->kernels[n], &s->kernels[n]));
    }
    TRY(make_recipe(s, "boundary", &s->boundary_kernel));
    TRY(make_recipe(s, "clock", &s->clock_kernel));
    TRY(make_recipe(s, "inflow", &s->inflow_kernel));
    n = list(s, all);
    note_unused_blocks(s, all, n);

#pragma omp parallel for schedule(dynamic, 1)
    for (int k = 0; k < n; k++) {
        enum err e = s->backend->compile(s->device, &all[k]->recipe, path[k]);
        if (e) {
#pragma omp critical
            {
                failed = e;
                snprintf(message, sizeof message, "%s", err_message());
            }
        }
    }
    if (failed)
        return err_set(failed, __FILE__, __LINE__, "%s", message);
    for (int k = 0; k < n; k++)
        TRY(s->backend->load(s->device, &all[k]->recipe, path[k], &all[k]->loaded));
    return ERR_OK;
}

void sim_kernels_unload(struct sim *s)
{
    for (int k = 0; k < SCHEME_KERNELS; k++)
        s->backend->unload(s->device, s->kernels[k].loaded);
    s->backend->unload(s->device, s->boundary_kernel.loaded);
    s->backend->unload(s->device, s->clock_kernel.loaded);
    s->backend->unload(s->device, s->inflow_kernel.loaded);
}

static int blocks(int cells, int size)
{
    return (cells + size - 1) / size;
}

long sim_blocks(const struct sim *s, const struct sim_kernel *k)
{
    return (long)blocks(s->grid.nx, k->recipe.block.w) * blocks(s->grid.ny, k->recipe.block.h);
}

enum err sim_launch(struct sim *s, const struct sim_kernel *k, const void *args, size_t bytes)
{
    _Alignas(16) unsigned char copy[1024];
    const size_t head = bytes - sizeof(struct physics); /* kernels/args.h: physics comes last */
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
    return s->backend->launch(s->device, k->loaded, blocks(span.nx, k->recipe.block.w),
                              blocks(span.ny, k->recipe.block.h), copy, bytes);
}
