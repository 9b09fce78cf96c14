/* First-order time stepping with the second-order reconstruction of Kurganov and Petrova. */
#include "schemes/operators.h"

enum { FLUX0, RK0 };

static const char *const kernels[] = {"flux_fgh0", "rk0", NULL};

/* Q <- Q + dt R(Q): the first line of thesis eq. (2.4). */
static enum err step(struct sim *s)
{
    static const struct substep whole = {
        .integrate = RK0, .from = Q, .to = Q, .flux_share = 1, .clip_share = 1};
    TRY(fill_ghosts(s, Q));
    TRY(rate_of_change(s, FLUX0, Q));
    TRY(choose_time_step(s));
    return advance(s, &whole);
}

extern const struct scheme scheme_euler;
const struct scheme scheme_euler = {
    .name = "euler",
    .title = "Kurganov-Petrova in space, forward Euler in time",
    .cite = "Brodtkorb, Saetra and Altinakar 2012",
    .order_space = 2,
    .order_time = 1,
    .ghost = 2,
    /* At 0.25 smooth flow is unstable under refinement with the limiter's default theta of 1.3. */
    .cfl = 0.1,
    .kernels = kernels,
    .step = step,
};
