/* The reference scheme: Kurganov-Petrova in space, two-stage Runge-Kutta in time, unsplit. */
#include "schemes/operators.h"

enum { FLUX0, FLUX1, RK0, RK1 };

static const char *const kernels[] = {"flux_fgh0", "flux_fgh1", "rk0", "rk1", NULL};

/* Q* <- Q + dt R(Q); Q <- (Q + Q* + dt R(Q*)) / 2: thesis eq. (2.4). What is clipped off Q* is only
 * half in the result. */
static enum err step(struct sim *s)
{
    static const struct substep predict = {
        .integrate = RK0, .from = Q, .to = Q1, .flux_share = 0.5, .clip_share = 0.5};
    static const struct substep average = {
        .integrate = RK1, .from = Q1, .base = Q, .to = Q, .flux_share = 0.5, .clip_share = 1};
    TRY(fill_ghosts(s, Q));
    TRY(rate_of_change(s, FLUX0, Q));
    TRY(choose_time_step(s));
    TRY(advance(s, &predict));
    TRY(fill_ghosts(s, Q1));
    TRY(rate_of_change(s, FLUX1, Q1));
    return advance(s, &average);
}

extern const struct scheme scheme_rk2;
const struct scheme scheme_rk2 = {
    .name = "rk2",
    .title = "Kurganov-Petrova in space, two-stage Runge-Kutta in time",
    .cite = "Kurganov and Petrova 2007; Brodtkorb, Saetra and Altinakar 2012",
    .order_space = 2,
    .order_time = 2,
    .ghost = 2,
    .cfl = 0.25,
    .stages = 1,
    .kernels = kernels,
    .step = step,
};
