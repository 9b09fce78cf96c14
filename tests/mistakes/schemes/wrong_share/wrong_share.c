/* Mistake: the fluxes of both substeps count whole in the balance, where each has the weight 1/2. */
#include "schemes/rk2_like.h"

static const char *const kernels[] = {RK2_KERNELS, NULL};

static enum err step(struct sim *s)
{
    return rk2_like(s, &(struct variation){.clip = 0.5, .share = 1});
}

extern const struct scheme scheme_wrong_share;
const struct scheme scheme_wrong_share = {
    .name = "wrong_share",
    RK2_LIKE,
};
