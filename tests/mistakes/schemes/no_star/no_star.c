/* Mistake: a kernel reads a cell beyond two edges at once, and the table claims that none does. */
#include "schemes/rk2_like.h"

static const char *const kernels[] = {RK2_KERNELS, "mistake_corner", NULL};

static enum err step(struct sim *s)
{
    return rk2_like(s, &(struct variation){.extra = 1, .clip = 0.5, .share = 0.5});
}

extern const struct scheme scheme_no_star;
const struct scheme scheme_no_star = {
    .name = "no_star",
    .star = 1,
    RK2_LIKE,
};
