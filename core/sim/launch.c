/* Launches the kernels of a simulation: the number of blocks, and arguments in the run's precision. */
#include <string.h>

#include "core/sim/active_tiles.h"
#include "core/sim/kernel_blocks.h"
#include "core/sim/kernels.h"
#include "core/sim/launch_room.h"
#include "core/sim/own_ghosts.h"
#include "core/sim/strips.h"
#include "core/sim/tiling.h"
#include "kernels/meeting.h"
#include "kernels/own_ghosts.h"

long sim_blocks(const struct sim *s, const struct sim_kernel *k, enum view v)
{
    if (k->recipe.tiled) {
        const struct tiling t = tiling_of(s, k);
        return (long)t.across * t.up * tiling_slots(s);
    }
    const int nx = v == TURNED ? s->grid.ny : s->grid.nx;
    const int ny = v == TURNED ? s->grid.nx : s->grid.ny;
    return (long)block_count(nx, k->recipe.block.w) * block_count(ny, k->recipe.block.h);
}

long sim_speeds(const struct sim *s, const struct sim_kernel *k, enum view v)
{
    return sim_blocks(s, k, v) + (s->forest != NULL);
}

long sim_most_blocks(const struct sim *s, const struct sim_kernel *k, enum view v)
{
    const long now = sim_blocks(s, k, v);
    struct sim_kernel plain = *k;
    plain.recipe.block = kernel_blocks_default(s, k->recipe.kernel);
    const long then = sim_blocks(s, &plain, v);
    return k->origin.from == BLOCK_TUNED && then > now ? then : now;
}

/* Blocks for a kernel that takes its blocks from a list: as many as the device can run at once. */
static struct span resident(const struct sim *s, const struct sim_kernel *k, struct span all)
{
    const int threads = block_threads(k->recipe.kernel, k->recipe.block);
    const long most = (long)s->backend->info(s->device)->units * (2048 / threads);
    const long every = (long)all.nx * all.ny;
    return (struct span){(int)(every < most ? every : most), 1};
}

/* What the pass under way launches as this kernel. */
static struct loaded *loaded_now(const struct sim *s, const struct sim_kernel *k)
{
    return k->unmapped && !active_tiles_mapping(s) ? k->unmapped : k->loaded;
}

/* Time between two marks; waits for the second. */
static enum err launch_timed(struct sim *s, struct sim_kernel *k, struct span blocks_of,
                             const void *args, size_t bytes)
{
    enum { BEFORE = MARKS - 2, AFTER = MARKS - 1 };
    double seconds = 0;
    TRY(s->backend->mark(s->device, BEFORE));
    TRY(s->backend->launch(s->device, loaded_now(s, k), blocks_of.nx, blocks_of.ny, args, bytes));
    TRY(s->backend->mark(s->device, AFTER));
    TRY(s->backend->between(s->device, BEFORE, AFTER, &seconds));
    k->seconds += seconds;
    k->launches++;
    return ERR_OK;
}

/* Bytes of arguments in the run's precision before the physics, and in all. */
static size_t packed(const struct sim_kernel *k, size_t head)
{
    if (k->recipe.precision == F64)
        return head + sizeof(struct physics);
    return (head + PHYSICS_REALS * sizeof(float) + 7) / 8 * 8;
}

/* Arguments as a kernel takes them, and their size in bytes: physics, which comes last
 * (kernels/args.h), in the run's precision. Omits the tracer's arguments before it if the text was
 * compiled without a tracer. */
static size_t pack(const struct sim *s, const struct sim_kernel *k, unsigned char *to,
                   const unsigned char *args, size_t bytes)
{
    const unsigned char *const physics = args + bytes - sizeof(struct physics);
    size_t head = bytes - sizeof(struct physics);
    const size_t behind = (k->recipe.tiled ? sizeof(struct tiling) : 0) +
                          (k->recipe.meets ? sizeof(struct meeting) : 0) +
                          (k->recipe.fills_ghosts ? sizeof(struct own_ghosts) : 0);
    if (k->loaded && !k->recipe.tracer && head > sizeof(struct tracer_args) &&
        s->backend->args_bytes(k->loaded) == packed(k, head - sizeof(struct tracer_args)) + behind)
        head -= sizeof(struct tracer_args);
    const size_t size = packed(k, head);
    memset(to + head, 0, size - head);
    memcpy(to, args, head);
    if (k->recipe.precision == F64)
        memcpy(to + head, physics, sizeof(struct physics));
    for (size_t m = 0; k->recipe.precision == F32 && m < PHYSICS_REALS; m++) {
        double x;
        memcpy(&x, physics + m * sizeof x, sizeof x);
        const float f = (float)x;
        memcpy(to + head + m * sizeof f, &f, sizeof f);
    }
    return size;
}

/* Appends what the kernel does together with those of other parts: once. */
static size_t meet(struct sim *s, unsigned char *to)
{
    static const struct meeting none;
    memcpy(to, s->meeting ? s->meeting : &none, sizeof none);
    s->meeting = NULL;
    return sizeof none;
}

static size_t tell_of_edges(const struct sim *s, unsigned char *to)
{
    const struct own_ghosts own = own_ghosts_of(s);
    memcpy(to, &own, sizeof own);
    return sizeof own;
}

enum err(sim_launch)(struct sim *s, struct sim_kernel *k, const void *args, size_t bytes)
{
    _Alignas(16) unsigned char copy[1024];
    struct span span;
    if (bytes + sizeof(struct tiling) + sizeof(struct meeting) + sizeof(struct own_ghosts) >
        sizeof copy)
        FAIL(KERNEL, "the arguments of %s are larger than %zu bytes", k->recipe.kernel->name,
             sizeof copy);
    size_t size = pack(s, k, copy, args, bytes);
    memcpy(&span, args, sizeof span);
    struct span grid = {block_count(span.nx, k->recipe.block.w),
                        block_count(span.ny, k->recipe.block.h)};
    if (k->recipe.tiled) {
        const struct tiling t = tiling_of(s, k);
        memcpy(copy + size, &t, sizeof t);
        size += sizeof t;
        const int few = t.list && !k->recipe.kernel->undoes;
        grid = (struct span){t.across * (few ? tiles_launched(s) : tiling_slots(s)),
                             strips_up(&t, s->tiles.h)};
    }
    grid.ny += k->recipe.fills_ghosts && s->own_clock; /* kernels/own_clock.h */
    if (k->recipe.kernel->listed && s->backend == &backend_cuda)
        grid = resident(s, k, grid);
    if (s->hook.told)
        TRY(s->hook.told(s->hook.context, k, args, bytes));
    if (k->recipe.meets)
        size += meet(s, copy + size);
    if (k->recipe.fills_ghosts)
        size += tell_of_edges(s, copy + size);
    if (!k->loaded && (s->backend == &backend_cpu || s->backend == &backend_cuda))
        FAIL(KERNEL,
             "scheme %s launches %s, which is not loaded: kernels from .on_demand on are compiled "
             "for early exit only; put it before them",
             s->scheme->name, k->recipe.kernel->name);
    if (s->profiling)
        return launch_timed(s, k, grid, copy, size);
    return s->backend->launch(s->device, loaded_now(s, k), grid.nx, grid.ny, copy, size);
}
