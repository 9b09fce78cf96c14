/* Mistake: the second rate of change is taken from Q, not from Q1, which makes it Euler's step. */
#include "schemes/rk2_like.h"

static const char *const kernels[] = {RK2_KERNELS, NULL};

static enum err step(struct sim *s)
{
    return rk2_like(s, &(struct variation){.from_start = 1, .clip = 0.5, .share = 0.5});
}

extern const struct scheme scheme_first_rate;
const struct scheme scheme_first_rate = {
    .name = "first_rate",
    RK2_LIKE,
};
