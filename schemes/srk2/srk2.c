/* RK2 with separate kernels for the fluxes in x and in y (thesis 3.1.1): the same numbers,
 * different memory traffic. */
#include "schemes/operators.h"

enum { FX0, YBLOCK0, FX1, YBLOCK1, SRK0, SRK1 };

static const char *const kernels[] = {"flux_fx0", "flux_yblock0", "flux_fx1", "flux_yblock1",
                                      "srk0",     "srk1",         NULL};

static enum err step(struct sim *s)
{
    static const struct rate fx0 = {.kernel = FX0, .state = Q, .into = 0};
    static const struct rate gy0 = {.kernel = YBLOCK0, .state = Q, .into = 1};
    static const struct rate fx1 = {.kernel = FX1, .state = Q1, .into = 0, .later = 1};
    static const struct rate gy1 = {.kernel = YBLOCK1, .state = Q1, .into = 1, .later = 1};
    static const struct substep predict = {
        .integrate = SRK0, .from = Q, .to = Q1, .clip_share = 0.5};
    static const struct substep average = {
        .integrate = SRK1, .from = Q1, .base = Q, .to = Q, .clip_share = 1};
    TRY(fill_ghosts(s, Q, PLAIN));
    TRY(rate_of_change(s, &fx0));
    TRY(rate_of_change(s, &gy0));
    TRY(choose_time_step(s, &(struct choice){CHOOSE, FX0, YBLOCK0, PLAIN, 1, 0}));
    TRY(advance(s, &predict));
    TRY(fill_ghosts(s, Q1, PLAIN));
    TRY(rate_of_change(s, &fx1));
    TRY(rate_of_change(s, &gy1));
    TRY(advance(s, &average));
    return settle_balance(s, 0.5);
}

extern const struct scheme scheme_srk2;
const struct scheme scheme_srk2 = {
    .name = "srk2",
    .title = "RK2 with separate kernels for the fluxes in x and in y",
    .cite = "Amundsen 2014, 3.1.1",
    .system = "shallow_water",
    .also = "tracer",
    .order_space = 2,
    .order_time = 2,
    .ghost = 2,
    .star = 1,
    .cfl = 0.25,
    .drained_cfl = 0.45,
    .stages = 1,
    .rates = 2,
    .steps = 1,
    .fills = 2,
    .kernels = kernels,
    .step = step,
};
