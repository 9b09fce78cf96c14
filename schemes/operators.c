/* Arguments of the kernels, put together for the schemes. */
#include "schemes/operators.h"

enum err rate_of_change(struct sim *s, int kernel, int state)
{
    struct flux_args a = {
        .span = {s->grid.nx, s->grid.ny},
        .pitch = s->pitch,
        .q = s->q[state],
        .r = s->r,
        .bed = s->bed,
        .block_speed = s->block_speed,
        .edge = s->edge,
        .clock = s->clock,
        .p = s->physics,
    };
    return sim_launch(s, &s->kernels[kernel], &a, sizeof a);
}

enum err choose_time_step(struct sim *s)
{
    struct clock_args a = {
        .span = {1, 1},
        .blocks = sim_blocks(s, &s->kernels[0]),
        .block_speed = s->block_speed,
        .clock = s->clock,
        .p = s->physics,
    };
    return sim_launch(s, &s->clock_kernel, &a, sizeof a);
}

/* Adds what crosses open edges during a substep to the balance. */
static enum err balance(struct sim *s, double share)
{
    struct inflow_args a = {
        .span = {2 * (s->grid.nx + s->grid.ny), 1},
        .nx = s->grid.nx,
        .ny = s->grid.ny,
        .edge = s->edge,
        .sum = s->edge_sum,
        .clock = s->clock,
        .p = s->physics,
    };
    a.p.weight = share;
    return s->edge ? sim_launch(s, &s->inflow_kernel, &a, sizeof a) : ERR_OK;
}

enum err advance(struct sim *s, const struct substep *how)
{
    struct rk_args a = {
        .span = {s->grid.nx, s->grid.ny},
        .pitch = s->pitch,
        .base = s->q[how->base],
        .from = s->q[how->from],
        .to = s->q[how->to],
        .r = s->r,
        .bed = s->bed,
        .counters = s->counters,
        .clock = s->clock,
        .p = s->physics,
    };
    a.p.weight = how->clip_share;
    TRY(balance(s, how->flux_share));
    return sim_launch(s, &s->kernels[how->integrate], &a, sizeof a);
}

enum err fill_ghosts(struct sim *s, int state)
{
    struct boundary_args a = {
        .span = {2 * (s->grid.nx + s->grid.ny), 1},
        .pitch = s->pitch,
        .nx = s->grid.nx,
        .ny = s->grid.ny,
        .q = s->q[state],
        .bed = s->bed,
        .clock = s->clock,
        .p = s->physics,
    };
    for (int e = 0; e < EDGES; e++)
        a.kind[e] = (int)s->boundary[e];
    return sim_launch(s, &s->boundary_kernel, &a, sizeof a);
}
