/* Two sediments in a basin, as published: h first, by forward Euler; then s, from the new h. */
#include <string.h>

#include "schemes/sediment.h"

enum {
    LIMIT,
    HEIGHT,
    SHARE,
    TAKE,
    HEIGHT_FIXED,
    SHARE_FIXED,
    HOME,
    HEIGHT_HALO,
    SHARE_HALO,
    HEIGHT_POINTS,
    SHARE_POINTS,
    ONE,
    ONE_FIXED
};

static const char *const kernels[] = {"basin_limit",     "basin_h",
                                      "basin_s",         "basin_take",
                                      "basin_h_fixed",   "basin_s_fixed",
                                      "basin_home",      "basin_h_halo",
                                      "basin_s_halo",    "basin_h_points",
                                      "basin_s_points",  "basin_one",
                                      "basin_one_fixed", NULL};

/* Kernels that make a step, by the ladder's rung that --define selects; `share` is 0 if one kernel
 * makes both. */
struct rung {
    const char *name;
    int height, share, fixed; /* `fixed`: those for two steps of a fixed length */
};

static struct rung rung_of(const struct sim *s)
{
    static const struct rung rungs[] = {
        {"HALO_THREADS=1", HEIGHT_HALO, SHARE_HALO, 0},
        {"POINTS=4", HEIGHT_POINTS, SHARE_POINTS, 0},
        {"ONE_KERNEL=1", ONE, 0, 0},
    };
    const int pairs = sediment_steps_in_pairs(s);
    for (size_t k = 0; k < sizeof rungs / sizeof *rungs; k++)
        if (strstr(s->config->define, rungs[k].name))
            return rungs[k].height == ONE && pairs ? (struct rung){rungs[k].name, ONE_FIXED, 0, 1}
                                                   : rungs[k];
    return pairs ? (struct rung){"", HEIGHT_FIXED, SHARE_FIXED, 1}
                 : (struct rung){"", HEIGHT, SHARE, 0};
}

static enum err setup(struct sim *s)
{
    const struct rung r = rung_of(s);
    if (!r.share && (s->whole || s->config->tile.w))
        FAIL(
            USAGE,
            "--define ONE_KERNEL=1: that kernel computes what its neighbours need, and knows none "
            "in other parts and tiles: leave out --parts, --ranks, --devices, --tile and --domain");
    TRY(sediment_setup(s));
    return sim_load_some(
        s, (const int[]){r.height, r.fixed ? HOME : TAKE, r.share ? r.share : -1, -1});
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

/* One of two steps of a fixed length. */
static enum err half(struct sim *s, int from, int to)
{
    const struct rung r = rung_of(s);
    const int first = s->passes == 0 && from == Q;
    TRY(sediment_begin(s, &(struct beginning){from, first ? LIMIT : r.height, !first}));
    TRY(make(s, &r, from, to));
    return settle_balance(s, 1);
}

static enum err step(struct sim *s)
{
    const struct rung r = rung_of(s);
    if (r.fixed)
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
