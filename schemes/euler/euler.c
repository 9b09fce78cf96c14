/* First-order time stepping with the second-order reconstruction of Kurganov and Petrova. */
#include "schemes/early_exit.h"
#include "schemes/operators.h"

enum { FLUX0, RK0, FLUX0_EE, RK0_EE, SELECT };

static const char *const kernels[] = {"flux_fgh0", "rk0", "flux_fgh0_ee", "rk0_ee", "select", NULL};

static enum err setup(struct sim *s)
{
    return early_exit_setup(s, FLUX0_EE, RK0_EE);
}

/* Q <- Q + dt R(Q): the first line of thesis eq. (2.4). */
static enum err step(struct sim *s)
{
    int ee;
    TRY(early_exit_begin(s, &ee));
    const int flux = ee ? FLUX0_EE : FLUX0, rk = ee ? RK0_EE : RK0;
    TRY(fill_ghosts(s, Q, PLAIN));
    TRY(rate_of_change(s, &(struct rate){.kernel = flux, .state = Q, .early_exit = ee}));
    TRY(choose_time_step(s, &(struct choice){CHOOSE, flux, flux, PLAIN, 1, ee}));
    TRY(advance(s, &(struct substep){
                       .integrate = rk, .from = Q, .to = Q, .clip_share = 1, .early_exit = ee}));
    TRY(settle_balance(s, 1));
    return early_exit_end(s);
}

extern const struct scheme scheme_euler;
const struct scheme scheme_euler = {
    .name = "euler",
    .title = "Kurganov-Petrova in space, forward Euler in time",
    .cite = "Brodtkorb, Saetra and Altinakar 2012",
    .system = "shallow_water",
    .also = "tracer",
    .order_space = 2,
    .order_time = 1,
    .ghost = 2,
    .star = 1,
    /* At 0.25 smooth flow is unstable under refinement with the limiter's default theta of 1.3. */
    .cfl = 0.1,
    .rates = 1,
    .steps = 1,
    .fills = 1,
    .kernels = kernels,
    .on_demand = FLUX0_EE,
    .setup = setup,
    .step = step,
    .teardown = early_exit_teardown,
};
