/* Kurganov-Petrova in space, three-stage Runge-Kutta in time. */
#include "schemes/operators.h"

enum { FLUX0, FLUX1, RK0, SSP1, SSP2 };

static const char *const kernels[] = {"flux_fgh0", "flux_fgh1", "rk0", "ssp1", "ssp2", NULL};

/* Shu and Osher 1988, eq. 2.18. The three fluxes have the weights 1/6, 1/6 and 2/3. */
static enum err step(struct sim *s)
{
    static const struct rate r1 = {.kernel = FLUX0, .state = Q};
    static const struct rate r2 = {.kernel = FLUX1, .state = Q1, .later = 1};
    static const struct rate r3 = {.kernel = FLUX1, .state = Q1};
    static const struct substep first = {
        .integrate = RK0, .from = Q, .to = Q1, .clip_share = 1.0 / 6};
    static const struct substep second = {
        .integrate = SSP1, .from = Q1, .base = Q, .to = Q1, .clip_share = 2.0 / 3};
    static const struct substep third = {
        .integrate = SSP2, .from = Q1, .base = Q, .to = Q, .clip_share = 1};
    TRY(fill_ghosts(s, Q, PLAIN));
    TRY(rate_of_change(s, &r1));
    TRY(choose_time_step(s, &(struct choice){CHOOSE, FLUX0, FLUX0, PLAIN, 1, 0}));
    TRY(advance(s, &first));
    TRY(fill_ghosts(s, Q1, PLAIN));
    TRY(rate_of_change(s, &r2));
    TRY(advance(s, &second));
    TRY(settle_balance(s, 1.0 / 6));
    TRY(fill_ghosts_at(s, Q1, PLAIN, &(struct when){.back = 0.5})); /* in the middle of the step */
    TRY(rate_of_change(s, &r3));
    TRY(advance(s, &third));
    return settle_balance(s, 2.0 / 3);
}

extern const struct scheme scheme_ssprk3;
const struct scheme scheme_ssprk3 = {
    .name = "ssprk3",
    .title = "Kurganov-Petrova in space, three-stage Runge-Kutta in time",
    .cite = "Shu and Osher 1988",
    .system = "shallow_water",
    .also = "tracer",
    .order_space = 2,
    .order_time = 3,
    .ghost = 2,
    .star = 1,
    .cfl = 0.25,
    .drained_cfl = 0.45,
    .stages = 1,
    .rates = 1,
    .steps = 1,
    .fills = 3,
    .kernels = kernels,
    .step = step,
};
