/* Second-order dimensional splitting (thesis 3.1.3): double steps X Y Y X of two-stage Runge-Kutta
 * substeps, with two transpositions. */
#include "schemes/operators.h"

enum { FX0, FX1, FY0, FY1, RK0, RK1, RKT_X1, RKT_Y0, RKT_Y1, FLUX0 };

static const char *const kernels[] = {"flux_fx0", "flux_fx1", "flux_fy0", "flux_fy1",  "rk0", "rk1",
                                      "rkt_x1",   "rkt_y0",   "rkt_y1",   "flux_fgh0", NULL};

/* One Runge-Kutta step in one direction. */
struct sweep_step {
    int flux0, flux1; /* kernels */
    enum task task;   /* what the wave speeds of its first fluxes decide */
    int later;        /* the direction's edges were already crossed in this double step */
    struct when begins, ends;
    struct substep predict, average;
};

static enum err sweep(struct sim *s, const struct sweep_step *w)
{
    const int from = w->predict.from, stage = w->predict.to;
    const enum view v = w->predict.view;
    const struct rate first = {.kernel = w->flux0, .state = from, .view = v, .later = w->later};
    const struct rate second = {.kernel = w->flux1, .state = stage, .view = v, .later = 1};
    s->updates = v == TURNED ? 2 : 0; /* dithered like two single steps */
    TRY(fill_ghosts_at(s, from, v, &w->begins));
    TRY(rate_of_change(s, &first));
    TRY(choose_time_step(s, &(struct choice){w->task, w->flux0, w->flux0, v, 2, 0}));
    TRY(advance(s, &w->predict));
    TRY(fill_ghosts_at(s, stage, v, &w->ends));
    TRY(rate_of_change(s, &second));
    return advance(s, &w->average);
}

/* Q <- X Y Y X Q, each of dt (eq. 3.4): Q -> Q2 turned -> Q2 -> Q3 back -> Q. The solution itself is
 * written by the last kernel only, when all four directions have allowed dt: what the thesis keeps
 * in a back-up field is never overwritten before. */
static enum err step(struct sim *s)
{
    static const struct sweep_step x1 = {
        FX0,
        FX1,
        CHOOSE_X,
        0,
        .begins = {0}, /* dt is not chosen yet */
        .ends = {.back = 1, .in_first = 1},
        .predict = {.integrate = RK0, .from = Q, .to = Q1, .clip_share = 0.5, .in_first = 1},
        .average = {.integrate = RKT_X1,
                    .from = Q1,
                    .base = Q,
                    .to = Q2,
                    .transpose = 1,
                    .clip_share = 1,
                    .in_first = 1}};
    static const struct sweep_step y1 = {FY0,
                                         FY1,
                                         CHECK_Y,
                                         0,
                                         .begins = {.back = 2, .in_first = 1},
                                         .ends = {.back = 1, .in_first = 1},
                                         .predict = {.integrate = RKT_Y0,
                                                     .from = Q2,
                                                     .to = Q1,
                                                     .view = TURNED,
                                                     .clip_share = 0.5,
                                                     .in_first = 1},
                                         .average = {.integrate = RKT_Y1,
                                                     .from = Q1,
                                                     .base = Q2,
                                                     .to = Q2,
                                                     .view = TURNED,
                                                     .clip_share = 1,
                                                     .in_first = 1}};
    static const struct sweep_step y2 = {
        FY0,
        FY1,
        CHECK_Y,
        1,
        .begins = {.back = 1},
        .ends = {0},
        .predict = {.integrate = RKT_Y0, .from = Q2, .to = Q1, .view = TURNED, .clip_share = 0.5},
        .average = {.integrate = RKT_Y1,
                    .from = Q1,
                    .base = Q2,
                    .to = Q3,
                    .view = TURNED,
                    .transpose = 1,
                    .clip_share = 1}};
    static const struct sweep_step x2 = {
        FX0,
        FX1,
        CHECK_X,
        1,
        .begins = {.back = 1},
        .ends = {0},
        .predict = {.integrate = RK0, .from = Q3, .to = Q1, .clip_share = 0.5},
        .average = {.integrate = RK1, .from = Q1, .base = Q3, .to = Q, .clip_share = 1}};
    if (s->passes++ == 0)
        return unsplit_first_step(s, FLUX0, RK0);
    TRY(sweep(s, &x1));
    TRY(sweep(s, &y1));
    TRY(sweep(s, &y2));
    TRY(sweep(s, &x2));
    return settle_balance(s, 0.5);
}

extern const struct scheme scheme_ds2;
const struct scheme scheme_ds2 = {
    .name = "ds2",
    .title = "dimensional splitting X Y Y X, two-stage Runge-Kutta in time",
    .cite = "Amundsen 2014, 3.1.3",
    .system = "shallow_water",
    .order_space = 2,
    .order_time = 2,
    .ghost = 2,
    .cfl = 0.25,
    .stages = 3,
    .rates = 1,
    .split = 1,
    .steps = 2,
    .fills = 8,
    .kernels = kernels,
    .step = step,
};
