/* Mistake: Euler's step claims the Courant number of rk2. */
#include "schemes/operators.h"

enum { FLUX0, RK0 };

static const char *const kernels[] = {"flux_fgh0", "rk0", NULL};

static enum err step(struct sim *s)
{
    TRY(fill_ghosts(s, Q, PLAIN));
    TRY(rate_of_change(s, &(struct rate){.kernel = FLUX0, .state = Q}));
    TRY(choose_time_step(s, &(struct choice){CHOOSE, FLUX0, FLUX0, PLAIN, 1, 0}));
    TRY(advance(s, &(struct substep){.integrate = RK0, .from = Q, .to = Q, .clip_share = 1}));
    return settle_balance(s, 1);
}

extern const struct scheme scheme_rash;
const struct scheme scheme_rash = {
    .name = "rash",
    .title = "euler with a mistake",
    .cite = "nobody",
    .system = "shallow_water",
    .order_space = 2,
    .order_time = 1,
    .ghost = 2,
    .cfl = 0.25,
    .rates = 1,
    .steps = 1,
    .kernels = kernels,
    .step = step,
};
