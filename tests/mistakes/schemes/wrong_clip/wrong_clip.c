/* Mistake: what is clipped off the first substep's result counts whole, where half of it is left. */
#include "schemes/rk2_like.h"

static const char *const kernels[] = {RK2_KERNELS, NULL};

static enum err step(struct sim *s)
{
    return rk2_like(s, &(struct variation){.clip = 1, .share = 0.5});
}

extern const struct scheme scheme_wrong_clip;
const struct scheme scheme_wrong_clip = {
    .name = "wrong_clip",
    RK2_LIKE,
};
