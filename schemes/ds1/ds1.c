/* Mixed-order dimensional splitting (thesis 3.1.2): an Euler step in x, then one in y on the
 * transposed domain; both integrators transpose, so every step ends as it began. */
#include "schemes/operators.h"

enum { FX0, FY0, RKT_X0, RKT_Y0, FLUX0, RK0 };

static const char *const kernels[] = {"flux_fx0",  "flux_fy0", "rkt_x0", "rkt_y0",
                                      "flux_fgh0", "rk0",      NULL};

/* Q <- Y(dt) X(dt) Q with dt = min(dt_x, r dt_y of the last step), eq. (3.1) to (3.3). If the
 * fluxes in y do not allow it, the step is rejected before Q is written, and the next pass redoes
 * it. */
static enum err step(struct sim *s)
{
    static const struct rate f = {.kernel = FX0, .state = Q};
    static const struct rate g = {.kernel = FY0, .state = Q1, .view = TURNED};
    static const struct substep x = {
        .integrate = RKT_X0, .from = Q, .to = Q1, .transpose = 1, .clip_share = 1};
    static const struct substep y = {
        .integrate = RKT_Y0, .from = Q1, .to = Q, .view = TURNED, .transpose = 1, .clip_share = 1};
    if (s->passes++ == 0)
        return unsplit_first_step(s, FLUX0, RK0);
    TRY(fill_ghosts(s, Q, PLAIN));
    TRY(rate_of_change(s, &f));
    TRY(choose_time_step(s, &(struct choice){CHOOSE_X, FX0, FX0, PLAIN, 1, 0}));
    TRY(advance(s, &x));
    TRY(fill_ghosts_at(s, Q1, TURNED,
                       &(struct when){.back = 1})); /* the step in y begins when that in x did */
    TRY(rate_of_change(s, &g));
    TRY(choose_time_step(s, &(struct choice){CHECK_Y, FY0, FY0, TURNED, 1, 0}));
    TRY(advance(s, &y));
    return settle_balance(s, 1);
}

extern const struct scheme scheme_ds1;
const struct scheme scheme_ds1 = {
    .name = "ds1",
    .title = "dimensional splitting X Y, Euler in time: mixed order",
    .cite = "Amundsen 2014, 3.1.2",
    .system = "shallow_water",
    .order_space = 2,
    .order_time = 1,
    .ghost = 2,
    /* As for euler: forward Euler with piecewise linear states. */
    .cfl = 0.1,
    .stages = 1,
    .rates = 1,
    .split = 1,
    .steps = 1,
    .fills = 2,
    .kernels = kernels,
    .step = step,
};
