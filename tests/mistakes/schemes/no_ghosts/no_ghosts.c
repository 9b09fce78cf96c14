/* Mistake: nothing fills the ghost cells of the first substep's result. */
#include "schemes/rk2_like.h"

static const char *const kernels[] = {RK2_KERNELS, NULL};

static enum err step(struct sim *s)
{
    return rk2_like(s, &(struct variation){.no_ghosts = 1, .clip = 0.5, .share = 0.5});
}

extern const struct scheme scheme_no_ghosts;
const struct scheme scheme_no_ghosts = {
    .name = "no_ghosts",
    RK2_LIKE,
};
