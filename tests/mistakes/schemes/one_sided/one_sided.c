/* Mistake: a kernel looks east and not west. */
#include "schemes/rk2_like.h"

static const char *const kernels[] = {RK2_KERNELS, "mistake_lean", NULL};

static enum err step(struct sim *s)
{
    return rk2_like(s, &(struct variation){.extra = 1, .clip = 0.5, .share = 0.5});
}

extern const struct scheme scheme_one_sided;
const struct scheme scheme_one_sided = {
    .name = "one_sided",
    RK2_LIKE,
};
