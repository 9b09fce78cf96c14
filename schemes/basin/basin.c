/* Two sediments in a basin, as published: h first, by forward Euler; then s, from the new h. */
#include "schemes/sediment.h"

enum { LIMIT, HEIGHT, SHARE, TAKE };

static const char *const kernels[] = {"basin_limit", "basin_h", "basin_s", "basin_take", NULL};

/* Su et al. 2013, eq. (3), then (4), whose stencil sees the new h of the neighbours. */
static enum err step(struct sim *s)
{
    TRY(sediment_begin(s, LIMIT));
    TRY(sediment_make(s, HEIGHT));
    TRY(fill_ghosts(s, Q1, PLAIN));
    TRY(sediment_make(s, SHARE));
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
    .setup = sediment_setup,
    .step = step,
};
