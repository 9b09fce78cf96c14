/* RK2 with one kernel per substep: the numbers of rk2, and no rate of change in memory. dt is tried
 * before the wave speeds are known; if it was too long, the step is redone. */
#include "schemes/fused.h"

enum { FUSED0, FUSED1 };

static const char *const kernels[] = {"fused0", "fused1", NULL};

/* Q* <- Q + dt R(Q); Q <- (Q + Q* + dt R(Q*)) / 2: thesis eq. (2.4), as schemes/rk2. */
static enum err step(struct sim *s)
{
    static const struct fused_substep predict = {
        .kernel = FUSED0, .from = Q, .base = Q, .to = Q1, .clip_share = 0.5};
    static const struct fused_substep average = {
        .kernel = FUSED1, .from = Q1, .base = Q, .to = Q, .clip_share = 1};
    TRY(fill_ghosts(s, Q, PLAIN));
    TRY(fused_advance(s, &predict));
    TRY(check_time_step(s, FUSED0));
    TRY(fill_ghosts(s, Q1, PLAIN));
    TRY(fused_advance(s, &average));
    return settle_balance(s, 0.5);
}

extern const struct scheme scheme_rk2_fused;
const struct scheme scheme_rk2_fused = {
    .name = "rk2_fused",
    .title = "RK2 with one kernel per substep, which never stores a rate of change",
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
    .steps = 1,
    .fills = 2,
    .clock = "ahead",
    .kernels = kernels,
    .setup = fused_setup,
    .step = step,
    .begin = fill_ghosts_anew,
};
