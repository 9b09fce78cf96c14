/* Mistake: a kernel adds the bed's slope once more. */
#include "schemes/rk2_like.h"

static const char *const kernels[] = {RK2_KERNELS, "mistake_stir", NULL};

static enum err step(struct sim *s)
{
    return rk2_like(s, &(struct variation){.extra = 1, .clip = 0.5, .share = 0.5});
}

extern const struct scheme scheme_stirring;
const struct scheme scheme_stirring = {
    .name = "stirring",
    RK2_LIKE,
};
