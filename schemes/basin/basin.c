/* Two sediments in a basin, as published: h first, by forward Euler; then s, from the new h. */
#include <string.h>

#include "schemes/sediment.h"

enum { LIMIT, HEIGHT, SHARE, TAKE, HEIGHT_HALO, SHARE_HALO, HEIGHT_POINTS, SHARE_POINTS };

static const char *const kernels[] = {"basin_limit",    "basin_h",        "basin_s",
                                      "basin_take",     "basin_h_halo",   "basin_s_halo",
                                      "basin_h_points", "basin_s_points", NULL};

/* Whether --define asks for a rung of the ladder whose kernels have other threads. */
static int wants(const struct sim *s, const char *rung)
{
    return strstr(s->config->define, rung) != NULL;
}

static enum err setup(struct sim *s)
{
    TRY(sediment_setup(s));
    return wants(s, "HALO_THREADS=1") || wants(s, "POINTS=4") ? sim_load_on_demand(s) : ERR_OK;
}

/* Su et al. 2013, eq. (3), then (4), whose stencil sees the new h of the neighbours. */
static enum err step(struct sim *s)
{
    const int halo = wants(s, "HALO_THREADS=1"), points = wants(s, "POINTS=4");
    TRY(sediment_begin(s, LIMIT));
    TRY(sediment_make(s, halo ? HEIGHT_HALO : points ? HEIGHT_POINTS : HEIGHT));
    TRY(fill_ghosts(s, Q1, PLAIN));
    TRY(sediment_make(s, halo ? SHARE_HALO : points ? SHARE_POINTS : SHARE));
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
    .stages = 1,
    .steps = 1,
    .kernels = kernels,
    .on_demand = HEIGHT_HALO,
    .setup = setup,
    .step = step,
};
