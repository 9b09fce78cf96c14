/* Two sediments in a basin, as published: h first, by forward Euler; then s, from the new h. */
#include "schemes/sediment.h"

enum {
    LIMIT,
    HEIGHT,
    SHARE,
    TAKE,
    HEIGHT_FIXED,
    SHARE_BOOKED,
    HOME,
    HEIGHT_SINGLE,
    SHARE_SINGLE,
    HEIGHT_HALO,
    SHARE_HALO,
    ONE,
    ONE_BOOKED,
    ONE_FIXED
};

static const char *const kernels[] = {
    "basin_limit",   "basin_h",    "basin_s",          "basin_take",      "basin_h_fixed",
    "basin_s_fixed", "basin_home", "basin_h_single",   "basin_s_single",  "basin_h_halo",
    "basin_s_halo",  "basin_one",  "basin_one_booked", "basin_one_fixed", NULL};

/* Kernels that make a step; `share` is 0 if one kernel makes both. */
struct rung {
    int height, share, pairs; /* `pairs`: two steps of a pass, which book themselves */
};

/* By the ladder's rung that --define selects. */
static struct rung rung_of(const struct sim *s)
{
    const int pairs = sediment_steps_in_pairs(s), fixed = sediment_is_fixed(s);
    if (sediment_switch(s, "HALO_THREADS", 0))
        return (struct rung){HEIGHT_HALO, SHARE_HALO, 0};
    if (sediment_switch(s, "POINTS", 4) == 1)
        return (struct rung){HEIGHT_SINGLE, SHARE_SINGLE, 0};
    if (sediment_switch(s, "ONE_KERNEL", 0))
        return (struct rung){fixed ? ONE_FIXED : pairs ? ONE_BOOKED : ONE, 0, pairs};
    return (struct rung){fixed ? HEIGHT_FIXED : HEIGHT, pairs ? SHARE_BOOKED : SHARE, pairs};
}

static enum err setup(struct sim *s)
{
    const struct rung r = rung_of(s);
    TRY(sediment_check_switches(s));
    if (!r.share && (s->whole || s->config->tile.w))
        FAIL(
            USAGE,
            "--define ONE_KERNEL=1: that kernel computes what its neighbours need, and knows none "
            "in other parts and tiles: leave out --parts, --ranks, --devices, --tile and --domain");
    TRY(sediment_setup(s));
    return sim_load_some(
        s, (const int[]){r.height, r.pairs ? HOME : TAKE, r.share ? r.share : -1, -1});
}

/* Su et al. 2013, eq. (3), then (4), whose stencil sees the new h of the neighbours. */
static enum err make(struct sim *s, const struct rung *r, int from, int to)
{
    TRY(sediment_make(s, &(struct making){r->height, from, to}));
    if (!r->share)
        return ERR_OK;
    TRY(fill_ghosts(s, to, PLAIN));
    return sediment_make(s, &(struct making){r->share, from, to});
}

/* One of two steps. */
static enum err half(struct sim *s, int from, int to)
{
    const struct rung r = rung_of(s);
    TRY(sediment_begin_half(s, from, LIMIT, r.height));
    TRY(make(s, &r, from, to));
    return settle_balance(s, 1);
}

static enum err step(struct sim *s)
{
    const struct rung r = rung_of(s);
    if (r.pairs)
        return sediment_pair(s, half, HOME);
    TRY(sediment_begin(s, &(struct beginning){Q, LIMIT, 0}));
    TRY(make(s, &r, Q, Q1));
    return sediment_end(s, TAKE);
}

extern const struct scheme scheme_basin;
const struct scheme scheme_basin = {
    .name = "basin",
    .title = "sand and mud by central and upwind differences, as published",
    .cite = "Su et al. 2013",
    .system = "sediment",
    .order_space = 1,
    .order_time = 1,
    .ghost = 1,
    .cfl = 0.9,
    .usual_cfl = 0.9,
    .stages = 1,
    .steps = 1,
    .kernels = kernels,
    .on_demand = HEIGHT,
    .setup = setup,
    .step = step,
};
