/* Mistake: a kernel reads three cells away, and the table claims two ghost cells. */
#include "schemes/rk2_like.h"

static const char *const kernels[] = {RK2_KERNELS, "mistake_wide", NULL};

static enum err step(struct sim *s)
{
    return rk2_like(s, &(struct variation){.extra = 1, .clip = 0.5, .share = 0.5});
}

extern const struct scheme scheme_wide_stencil;
const struct scheme scheme_wide_stencil = {
    .name = "wide_stencil",
    RK2_LIKE,
};
