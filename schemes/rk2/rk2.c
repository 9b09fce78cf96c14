/* The reference scheme: Kurganov-Petrova in space, two-stage Runge-Kutta in time, unsplit. */
#include "schemes/early_exit.h"
#include "schemes/operators.h"

enum { FLUX0, FLUX1, RK0, RK1, FLUX0_EE, FLUX1_EE, RK0_EE, RK1_EE, SELECT };

static const char *const kernels[] = {
    "flux_fgh0",    "flux_fgh1", "rk0",    "rk1",    "flux_fgh0_ee",
    "flux_fgh1_ee", "rk0_ee",    "rk1_ee", "select", NULL};

static enum err setup(struct sim *s)
{
    return early_exit_setup(s, FLUX0_EE, RK1_EE);
}

/* Q* <- Q + dt R(Q); Q <- (Q + Q* + dt R(Q*)) / 2: thesis eq. (2.4). The result has only half of
 * what is clipped off Q*. */
static enum err step(struct sim *s)
{
    int ee;
    TRY(early_exit_begin(s, &ee));
    const int flux0 = ee ? FLUX0_EE : FLUX0, flux1 = ee ? FLUX1_EE : FLUX1;
    const struct rate first = {.kernel = flux0, .state = Q, .early_exit = ee};
    const struct rate second = {.kernel = flux1, .state = Q1, .later = 1, .early_exit = ee};
    const struct substep predict = {
        .integrate = ee ? RK0_EE : RK0, .from = Q, .to = Q1, .clip_share = 0.5, .early_exit = ee};
    const struct substep average = {.integrate = ee ? RK1_EE : RK1,
                                    .from = Q1,
                                    .base = Q,
                                    .to = Q,
                                    .clip_share = 1,
                                    .early_exit = ee};
    TRY(fill_ghosts(s, Q, PLAIN));
    TRY(rate_of_change(s, &first));
    TRY(choose_time_step(s, &(struct choice){CHOOSE, flux0, flux0, PLAIN, 1, ee}));
    TRY(advance(s, &predict));
    TRY(fill_ghosts(s, Q1, PLAIN));
    TRY(rate_of_change(s, &second));
    TRY(advance(s, &average));
    TRY(settle_balance(s, 0.5));
    return early_exit_end(s);
}

extern const struct scheme scheme_rk2;
const struct scheme scheme_rk2 = {
    .name = "rk2",
    .title = "Kurganov-Petrova in space, two-stage Runge-Kutta in time",
    .cite = "Kurganov and Petrova 2007; Brodtkorb, Saetra and Altinakar 2012",
    .system = "shallow_water",
    .also = "tracer",
    .order_space = 2,
    .order_time = 2,
    .ghost = 2,
    .star = 1,
    .cfl = 0.25,
    .drained_cfl = 0.45,
    .stages = 1,
    .rates = 1,
    .steps = 1,
    .fills = 2,
    .kernels = kernels,
    .on_demand = FLUX0_EE,
    .setup = setup,
    .step = step,
    .teardown = early_exit_teardown,
};
