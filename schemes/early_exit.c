/* Every step with early exit keeps the map of active blocks; the first one after others computes all
 * blocks to do so, which the device decides (it may have been halted). */
#include "schemes/early_exit.h"

#include <stdlib.h>

#include "core/base/log.h"
#include "core/sim/alternation.h"
#include "core/sim/cycle.h"
#include "core/sim/apron.h"
#include "core/sim/halo.h"

struct early_exit {
    int always; /* --early-exit on, or an alternation decides: no timing here */
    int loaded;
    struct cycle cycle;
    size_t map_bytes;
    int select; /* kernel */
    bits *active;
    int *skip, *list, *count;
};

struct wetness early_exit_wetness(const struct sim *s)
{
    const struct early_exit *x = s->early_exit;
    return (struct wetness){x->active, x->skip, x->list, x->count};
}

static enum err same_blocks(const struct sim *s, int first, int last)
{
    const struct recipe *a = &s->kernels[first].recipe;
    for (int k = first + 1; k <= last; k++) {
        const struct recipe *b = &s->kernels[k].recipe;
        if (a->block.w != b->block.w || a->block.h != b->block.h)
            FAIL(USAGE,
                 "expected the same block for %s (%dx%d) and %s (%dx%d): choose both "
                 "with --block, or --early-exit off",
                 a->kernel->name, a->block.w, a->block.h, b->kernel->name, b->block.w, b->block.h);
    }
    return ERR_OK;
}

enum err early_exit_setup(struct sim *s, int first, int last)
{
    const int choice = s->config->early_exit;
    void *p;
    if (choice == EARLY_EXIT_OFF || (choice == EARLY_EXIT_AUTO && !cycle_pays(s)))
        return ERR_OK;
    if (s->tiles.columns) /* core/sim/active_tiles.c selects tiles */
        return ERR_OK;
    if (apron_stores(s)) {
        log_info("no early exit: parts compute cells beyond their own (--ghost-steps)");
        return ERR_OK;
    }
    if (s->forced || s->added[RAIN_KERNEL] || s->added[SOIL_KERNEL] ||
        s->added[SPRINGS_KERNEL]) { /* that changes every block in every step */
        if (choice == EARLY_EXIT_ON)
            log_info("no early exit: %s", s->forced ? "the flow is forced everywhere"
                                                    : "rain, soil or sources may change any block");
        return ERR_OK;
    }
    const enum err e = same_blocks(s, first, last);
    if (e && choice == EARLY_EXIT_AUTO) {
        log_info("no early exit: %s", err_message());
        return ERR_OK;
    }
    if (e)
        err_context("early exit");
    TRY(e);
    s->early_exit = calloc(1, sizeof *s->early_exit);
    if (!s->early_exit)
        FAIL(MEMORY, "no memory for early exit");
    s->early_exit->always = choice == EARLY_EXIT_ON || s->alternation;
    s->early_exit->cycle.steps = 1;
    const size_t blocks = (size_t)sim_most_blocks(s, &s->kernels[first], PLAIN);
    /* No checkpoint keeps the map: the next step with early exit makes a new one. */
    s->early_exit->map_bytes = blocks * s->real_size;
    TRY(sim_memory(s, &(struct array){"active_blocks", .bytes = s->early_exit->map_bytes}, &p));
    s->early_exit->active = p;
    TRY(sim_memory(s, &(struct array){"skipped_blocks", .bytes = blocks * sizeof(int)}, &p));
    s->early_exit->skip = p;
    TRY(sim_memory(s, &(struct array){"chosen_blocks", .bytes = (blocks + 1) * sizeof(int)}, &p));
    s->early_exit->list = p;
    s->early_exit->count = s->early_exit->list + blocks;
    s->early_exit->select = last + 1;
    return ERR_OK;
}

void early_exit_teardown(struct sim *s)
{
    free(s->early_exit);
    s->early_exit = NULL;
}

/* Lists the blocks that the step skips. */
static enum err select_blocks(struct sim *s)
{
    const struct early_exit *x = s->early_exit;
    const struct block b = s->kernels[x->select - 1].recipe.block;
    struct select_args a = {
        .span = {(s->grid.nx + b.w - 1) / b.w, (s->grid.ny + b.h - 1) / b.h},
        .nx = s->grid.nx,
        .ny = s->grid.ny,
        .w = b.w,
        .h = b.h,
        .wet = early_exit_wetness(s),
        .clock = s->clock,
        .p = s->physics,
    };
    for (int e = 0; e < EDGES; e++) {
        a.others[e] = s->edges.others[e];
        a.wall[e] = s->boundary[e] == WALL && !a.others[e];
    }
    TRY(s->backend->fill(s->device, x->count, 0, sizeof *x->count));
    return sim_launch(s, &s->kernels[x->select], &a, sizeof a);
}

/* Another scheme has moved the water, and no kernel of it kept the map: all blocks count as active. */
static enum err forget_map(struct sim *s)
{
    const struct early_exit *x = s->early_exit;
    return s->backend->fill(s->device, x->active, 0xff, x->map_bytes);
}

enum err early_exit_begin(struct sim *s, int *use)
{
    struct early_exit *x = s->early_exit;
    *use = 0;
    if (!x)
        return ERR_OK;
    if (x->always)
        *use = 1;
    else
        TRY(cycle_begin(s, &x->cycle, use));
    if (*use && !x->loaded) {
        TRY(sim_load_on_demand(s));
        x->loaded = 1;
    }
    if (*use && alternation_resumes(s))
        TRY(forget_map(s));
    return *use ? select_blocks(s) : ERR_OK;
}

enum err early_exit_end(struct sim *s)
{
    struct early_exit *x = s->early_exit;
    return x && !x->always ? cycle_end(s, &x->cycle) : ERR_OK;
}
