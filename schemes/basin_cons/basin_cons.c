/* Two sediments in a basin by fluxes of both: what the layer and the floor hold of sand is conserved, and its share stays
 * between 0 and 1. */
#include "schemes/sediment.h"

enum { LIMIT, MAKE, TAKE, MAKE_FIXED, HOME };

static const char *const kernels[] = {"basin_limit",      "basin_cons", "basin_take",
                                      "basin_cons_fixed", "basin_home", NULL};

static enum err setup(struct sim *s)
{
    TRY(sediment_setup(s));
    return sediment_steps_in_pairs(s) ? sediment_load(s) : ERR_OK;
}

/* One of two steps of a fixed length. */
static enum err half(struct sim *s, int from, int to)
{
    const int first = s->passes == 0 && from == Q;
    TRY(sediment_begin(s, &(struct beginning){from, first ? LIMIT : MAKE_FIXED, !first}));
    TRY(sediment_make(s, &(struct making){MAKE_FIXED, from, to}));
    return settle_balance(s, 1);
}

/* Both from the old state, by forward Euler. */
static enum err step(struct sim *s)
{
    if (sediment_steps_in_pairs(s))
        return sediment_pair(s, half, HOME);
    TRY(sediment_begin(s, &(struct beginning){Q, LIMIT, 0}));
    TRY(sediment_make(s, &(struct making){MAKE, Q, Q1}));
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
    .usual_cfl = 0.9,
    .bounded = 1,
    .stages = 1,
    .steps = 1,
    .kernels = kernels,
    .on_demand = MAKE_FIXED,
    .setup = setup,
    .step = step,
};
