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
    SHARE_POINTS
};

static const char *const kernels[] = {"basin_limit",    "basin_h",        "basin_s",
                                      "basin_take",     "basin_h_fixed",  "basin_s_fixed",
                                      "basin_home",     "basin_h_halo",   "basin_s_halo",
                                      "basin_h_points", "basin_s_points", NULL};

/* Whether --define asks for a rung of the ladder whose kernels have other threads. */
static int wants(const struct sim *s, const char *rung)
{
    return strstr(s->config->define, rung) != NULL;
}

static enum err setup(struct sim *s)
{
    const int others = wants(s, "HALO_THREADS=1") || wants(s, "POINTS=4");
    TRY(sediment_setup(s));
    return others || sediment_steps_in_pairs(s) ? sediment_load(s) : ERR_OK;
}

/* Su et al. 2013, eq. (3), then (4), whose stencil sees the new h of the neighbours. */
static enum err make(struct sim *s, int height, int share, int from, int to)
{
    TRY(sediment_make(s, &(struct making){height, from, to}));
    TRY(fill_ghosts(s, to, PLAIN));
    return sediment_make(s, &(struct making){share, from, to});
}

/* One of two steps of a fixed length. */
static enum err half(struct sim *s, int from, int to)
{
    const int first = s->passes == 0 && from == Q;
    TRY(sediment_begin(s, &(struct beginning){from, first ? LIMIT : HEIGHT_FIXED, !first}));
    TRY(make(s, HEIGHT_FIXED, SHARE_FIXED, from, to));
    return settle_balance(s, 1);
}

static enum err step(struct sim *s)
{
    const int halo = wants(s, "HALO_THREADS=1"), points = wants(s, "POINTS=4");
    const int height = halo ? HEIGHT_HALO : points ? HEIGHT_POINTS : HEIGHT;
    const int share = halo ? SHARE_HALO : points ? SHARE_POINTS : SHARE;
    if (sediment_steps_in_pairs(s) && !halo && !points)
        return sediment_pair(s, half, HOME);
    TRY(sediment_begin(s, &(struct beginning){Q, LIMIT, 0}));
    TRY(make(s, height, share, Q, Q1));
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
    .on_demand = HEIGHT_FIXED,
    .setup = setup,
    .step = step,
};
