/* Mistake: a kernel lacks the SYNC between its two phases. */
#include "schemes/rk2_like.h"

static const char *const kernels[] = {RK2_KERNELS, "mistake_no_sync", NULL};

static enum err step(struct sim *s)
{
    return rk2_like(s, &(struct variation){.extra = 1, .clip = 0.5, .share = 0.5});
}

extern const struct scheme scheme_no_sync;
const struct scheme scheme_no_sync = {
    .name = "no_sync",
    RK2_LIKE,
};
