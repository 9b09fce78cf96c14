/* Two sediments in a basin by fluxes of both: what the layer and the floor hold of sand is conserved, and its share stays
 * between 0 and 1. */
#include "schemes/sediment.h"

enum { LIMIT, MAKE, TAKE };

static const char *const kernels[] = {"basin_limit", "basin_cons", "basin_take", NULL};

/* Both from the old state, by forward Euler. */
static enum err step(struct sim *s)
{
    TRY(sediment_begin(s, LIMIT));
    TRY(sediment_make(s, MAKE));
    return sediment_end(s, TAKE);
}

extern const struct scheme scheme_basin_cons;
const struct scheme scheme_basin_cons = {
    .name = "basin_cons",
    .title = "sand and mud by fluxes from uphill, conservative",
    .cite = "model of Rivenaes 1993 and Su et al. 2013",
    .system = "sediment",
    .order_space = 1,
    .order_time = 1,
    .ghost = 1,
    .cfl = 0.9,
    .bounded = 1,
    .stages = 1,
    .steps = 1,
    .kernels = kernels,
    .setup = sediment_setup,
    .step = step,
};
