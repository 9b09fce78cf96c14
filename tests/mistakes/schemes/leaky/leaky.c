/* Mistake: a kernel loses water where the level rises or falls. */
#include "schemes/rk2_like.h"

static const char *const kernels[] = {RK2_KERNELS, "mistake_drain", NULL};

static enum err step(struct sim *s)
{
    return rk2_like(s, &(struct variation){.extra = 1, .clip = 0.5, .share = 0.5});
}

extern const struct scheme scheme_leaky;
const struct scheme scheme_leaky = {
    .name = "leaky",
    RK2_LIKE,
};
