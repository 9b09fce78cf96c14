/* Two sediments in a basin by fluxes of both: conserves sand in layer plus floor, and keeps its share between
 * 0 and 1. */
#include <string.h>

#include "schemes/sediment.h"

enum { LIMIT, MAKE, TAKE, MAKE_BOOKED, MAKE_FIXED, HOME };

static const char *const kernels[] = {
    "basin_limit",      "basin_cons", "basin_take", "basin_cons_booked",
    "basin_cons_fixed", "basin_home", NULL};

/* These switches would change nothing, so an experiment would compare a kernel with itself. */
static enum err check_rungs(const struct sim *s)
{
    static const char *const of_basin[] = {"PRODUCTS", "HALO_THREADS", "POINTS", "ONE_KERNEL",
                                           NULL};
    for (const char *const *name = of_basin; *name; name++)
        if (strstr(s->config->define, *name))
            FAIL(USAGE,
                 "--define %s: this rung of the ladder belongs to the kernels of --scheme basin",
                 s->config->define);
    return ERR_OK;
}

/* The kernel that makes a step. */
static int maker(const struct sim *s)
{
    return sediment_is_fixed(s) ? MAKE_FIXED : sediment_steps_in_pairs(s) ? MAKE_BOOKED : MAKE;
}

static enum err setup(struct sim *s)
{
    TRY(check_rungs(s));
    TRY(sediment_check_switches(s));
    TRY(sediment_setup(s));
    return sim_load_some(s, (const int[]){maker(s), sediment_steps_in_pairs(s) ? HOME : TAKE, -1});
}

/* One of two steps. */
static enum err half(struct sim *s, int from, int to)
{
    TRY(sediment_begin_half(s, from, LIMIT, MAKE_FIXED));
    TRY(sediment_make(s, &(struct making){maker(s), from, to}));
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
    .on_demand = MAKE,
    .setup = setup,
    .step = step,
};
