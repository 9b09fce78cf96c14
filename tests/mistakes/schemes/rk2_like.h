/* rk2 as a function that schemes with a mistake vary. */
#ifndef SHOAL_RK2_LIKE_H
#define SHOAL_RK2_LIKE_H

#include "schemes/operators.h"

enum { FLUX0, FLUX1, RK0, RK1, EXTRA };

#define RK2_KERNELS "flux_fgh0", "flux_fgh1", "rk0", "rk1"

struct variation {
    int extra;      /* kernel EXTRA after each flux kernel */
    int no_ghosts;  /* of the first substep's result */
    int early;      /* dt is chosen before the wave speeds are known */
    int from_start; /* the second rate is that of Q */
    double clip, share;
};

static inline enum err rk2_like(struct sim *s, const struct variation *v)
{
    const struct rate first = {.kernel = FLUX0, .state = Q};
    const struct rate second = {.kernel = FLUX1, .state = v->from_start ? Q : Q1, .later = 1};
    const struct choice choice = {CHOOSE, FLUX0, FLUX0, PLAIN, 1, 0};
    TRY(fill_ghosts(s, Q, PLAIN));
    if (v->early && s->passes)
        TRY(choose_time_step(s, &choice));
    TRY(rate_of_change(s, &first));
    if (v->extra)
        TRY(rate_of_change(s, &(struct rate){.kernel = EXTRA, .state = Q}));
    if (!v->early || !s->passes)
        TRY(choose_time_step(s, &choice));
    TRY(advance(s,
                &(struct substep){.integrate = RK0, .from = Q, .to = Q1, .clip_share = v->clip}));
    if (!v->no_ghosts)
        TRY(fill_ghosts(s, Q1, PLAIN));
    TRY(rate_of_change(s, &second));
    if (v->extra)
        TRY(rate_of_change(s, &(struct rate){.kernel = EXTRA, .state = Q1}));
    TRY(advance(
        s, &(struct substep){.integrate = RK1, .from = Q1, .base = Q, .to = Q, .clip_share = 1}));
    return settle_balance(s, v->share);
}

/* The rest of the table. */
#define RK2_LIKE                                                                                  \
    .title = "rk2 with a mistake", .cite = "nobody", .system = "shallow_water", .order_space = 2, \
    .order_time = 2, .ghost = 2, .cfl = 0.25, .stages = 1, .rates = 1, .steps = 1,                \
    .kernels = kernels, .step = step

#endif
