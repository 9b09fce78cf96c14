/* Mistake: the table does not say how many steps a pass makes. */
#include "schemes/rk2_like.h"

static const char *const kernels[] = {RK2_KERNELS, NULL};

static enum err step(struct sim *s)
{
    return rk2_like(s, &(struct variation){.clip = 0.5, .share = 0.5});
}

extern const struct scheme scheme_no_steps;
const struct scheme scheme_no_steps = {
    .name = "no_steps",
    .title = "rk2 with a mistake",
    .cite = "nobody",
    .system = "shallow_water",
    .order_space = 2,
    .order_time = 2,
    .ghost = 2,
    .cfl = 0.25,
    .stages = 1,
    .rates = 1,
    .kernels = kernels,
    .step = step,
};
