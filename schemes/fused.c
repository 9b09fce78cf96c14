/* Arguments of the fused kernels and of their clock. */
#include "schemes/fused.h"

#include "core/sim/apron.h"
#include "core/sim/halo.h"
#include "core/sim/own_ghosts.h"
#include "kernels/fused.h"

enum err ahead_create(struct sim *s)
{
    void *p;
    TRY(sim_memory(s, &(struct array){"ahead", .bytes = sizeof *s->ahead, .kept = 1}, &p));
    s->ahead = p;
    return ERR_OK;
}

enum err fused_setup(struct sim *s)
{
    TRY(ahead_create(s));
    return own_clock_create(s);
}

static enum err advance_cells(struct sim *s, const void *substep)
{
    const struct fused_substep *const how = substep;
    struct fused_args a = {
        .span = {s->grid.nx, s->grid.ny},
        .pitch = s->pitch[PLAIN],
        .base = sim_fields(s, s->state[how->base], PLAIN),
        .q = sim_fields(s, s->state[how->from], PLAIN),
        .to = sim_fields(s, s->state[how->to], PLAIN),
        .ground = s->ground,
        .roughness = s->roughness,
        .block_speed = speeds_of(s, how->kernel),
        .counters = s->counters,
        .ahead = s->ahead,
        .clock = s->clock,
        .stride = next_stride(s),
        .carried = sim_carried(s, how->base, how->from, how->to),
        .p = s->physics,
    };
    for (int e = 0; e < EDGES; e++)
        a.rim[e] = rim_of(s, (enum edge)e);
    if (s->forced)
        a.force = sim_fields(s, s->force, PLAIN);
    a.p.weight = how->clip_share;
    halo_send_early(s, how->to);
    return sim_launch(s, &s->kernels[how->kernel], &a, sizeof a);
}

enum err fused_advance(struct sim *s, const struct fused_substep *how)
{
    return on_all_cells(s, advance_cells, how);
}

enum err check_time_step(struct sim *s, int first)
{
    struct ahead_args a = {
        .span = {1, 1},
        .blocks = (int)sim_speeds(s, &s->kernels[first], PLAIN),
        .block_speed = speeds_of(s, first),
        .counters = s->counters,
        .ahead = s->ahead,
        .clock = s->clock,
        .carried = sim_carried(s, 0, 0, 0),
        .p = s->physics,
    };
    TRY(sim_fastest(s, &a.blocks, &a.block_speed));
    s->edges.chosen = 1;
    s->redoes = 1;
    if (s->own_clock) /* the next kernel moves the clock on */
        return ERR_OK;
    return sim_launch(s, &s->auxiliary[CLOCK_KERNEL], &a, sizeof a);
}
