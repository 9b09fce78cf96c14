/* The blocks of a simulation's kernels: by default, chosen by --block, or tuned. */
#include "core/sim/kernel_blocks.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/log.h"
#include "core/sim/kernels.h"
#include "core/sim/tiling.h"

static int blocks_over(const struct sim *s, struct block b)
{
    return block_count(s->grid.nx, b.w) * block_count(s->grid.ny, b.h);
}

struct block kernel_blocks_default(const struct sim *s, const struct kernel *k)
{
    const enum backend_kind kind = s->config->order || s->backend == &backend_cuda ? CUDA : CPU;
    struct block b = k->block[kind];
    while (kind == CUDA && b.h > 1 && 2 * blocks_over(s, b) <= k->enough_blocks)
        b.h /= 2;
    return b;
}

void kernel_blocks_choose(const struct sim *s, struct sim_kernel *k)
{
    const struct config *c = s->config;
    const struct kernel *kernel = k->recipe.kernel;
    k->recipe.block = kernel_blocks_default(s, kernel);
    k->origin = (struct block_origin){.from = BLOCK_DEFAULT};
    if (k->recipe.tiled)
        k->recipe.block = tiling_block(s, kernel, k->recipe.block);
    for (int n = 0; n < c->block_count; n++) {
        if (strcmp(c->blocks[n].kernel, kernel->name) != 0 &&
            strcmp(c->blocks[n].kernel, kernel->stem) != 0)
            continue;
        k->recipe.block = c->blocks[n].block;
        k->origin.from = BLOCK_CHOSEN;
    }
}

void kernel_blocks_note_unused(struct sim *s)
{
    struct sim_kernel *all[SIM_KERNELS];
    const int n = sim_kernels_all(s, all);
    for (int b = 0; b < s->config->block_count; b++) {
        const char *name = s->config->blocks[b].kernel;
        int used = 0;
        for (int k = 0; k < n; k++)
            used |= strcmp(name, all[k]->recipe.kernel->name) == 0 ||
                    strcmp(name, all[k]->recipe.kernel->stem) == 0;
        if (!used)
            log_info("note: --block %s: this run does not launch that kernel", name);
    }
}

/* Kernels with early exit need a common block: if --block names some of them, the others keep their
 * own. */
static int may_be_tuned(const struct sim *s, const struct sim_kernel *k)
{
    if (!k->recipe.kernel->tuned || k->origin.from != BLOCK_DEFAULT || k->recipe.tiled)
        return 0;
    if (!k->recipe.kernel->listed)
        return 1;
    for (int m = 0; s->scheme->kernels[m]; m++)
        if (s->kernels[m].recipe.kernel->listed && s->kernels[m].origin.from != BLOCK_DEFAULT)
            return 0;
    return s->config->early_exit != EARLY_EXIT_OFF;
}

/* Advises the user to tune again. */
static int is_outdated(const struct tuned_kernel *kernels, int n)
{
    int outdated = 0;
    for (int k = 0; k < n; k++)
        outdated |= kernels[k].origin->other_source || kernels[k].origin->other_flags;
    return outdated;
}

enum err kernel_blocks_take_tuned(struct sim *s)
{
    const struct tuned_for run = {s->backend->info(s->device), s->grid.nx, s->grid.ny, 0};
    struct tuned_kernel wanted[SCHEME_KERNELS];
    char text[4096];
    int n = 0, tuned = 0;
    if (!s->config->tuned || s->config->order)
        return ERR_OK;
    for (int k = 0; s->scheme->kernels[k]; k++)
        if (may_be_tuned(s, &s->kernels[k]))
            wanted[n++] = (struct tuned_kernel){&s->kernels[k].recipe, &s->kernels[k].origin};
    TRY(tuned_blocks(&run, wanted, n));
    for (int k = 0; k < n; k++)
        tuned += wanted[k].origin->from == BLOCK_TUNED;
    sim_describe_blocks(s, text, sizeof text);
    if (tuned && is_outdated(wanted, n)) /* the result's attribute `blocks` has the details */
        log_info("blocks: tuned for older kernels: run `shoal tune`");
    else if (tuned)
        log_info("blocks: %s", text);
    else if (n)
        log_info("blocks: defaults, because nothing is tuned for this device; run `shoal tune`");
    return ERR_OK;
}

__attribute__((format(printf, 4, 5))) static void append(char *text, size_t room, size_t *used,
                                                         const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (*used < room)
        *used += (size_t)vsnprintf(text + *used, room - *used, fmt, ap);
    va_end(ap);
}

const char *sim_blocks_from(const struct sim *s)
{
    int tuned = 0, others = 0;
    for (int k = 0; s->scheme->kernels[k]; k++) {
        if (!s->kernels[k].loaded || !s->kernels[k].recipe.kernel->tuned)
            continue;
        if (s->kernels[k].origin.from == BLOCK_TUNED)
            tuned++;
        else
            others++;
    }
    return !tuned ? "default" : others ? "mixed" : "tuned";
}

/* Reports kernels together whose blocks come from the same place; one that is never tuned only if
 * --block names it. */
void sim_describe_blocks(const struct sim *s, char *text, size_t n)
{
    char from[SCHEME_KERNELS][256] = {""};
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; s->scheme->kernels[k]; k++)
        if (s->kernels[k].recipe.kernel->tuned || s->kernels[k].origin.from == BLOCK_CHOSEN)
            tuned_describe(&s->kernels[k].origin, from[k], sizeof from[k]);
    for (int k = 0; s->scheme->kernels[k]; k++) {
        char group[sizeof from[0]];
        memcpy(group, from[k], sizeof group);
        for (int m = k; *group && s->scheme->kernels[m]; m++) {
            const struct recipe *r = &s->kernels[m].recipe;
            if (strcmp(from[m], group) != 0)
                continue;
            append(text, n, &used, "%s%s %dx%d",
                   m > k ? ", "
                   : k   ? "; "
                         : "",
                   r->kernel->name, r->block.w, r->block.h);
            from[m][0] = '\0';
        }
        if (*group)
            append(text, n, &used, " %s", group);
    }
}
