/* Mistake: every third pass launches one kernel more, by a counter on the host. */
#include "schemes/rk2_like.h"

static const char *const kernels[] = {RK2_KERNELS, NULL};

static enum err step(struct sim *s)
{
    static int passes;
    if (++passes % 3 == 0)
        TRY(fill_ghosts(s, Q, PLAIN));
    return rk2_like(s, &(struct variation){.clip = 0.5, .share = 0.5});
}

extern const struct scheme scheme_moody;
const struct scheme scheme_moody = {
    .name = "moody",
    RK2_LIKE,
};
