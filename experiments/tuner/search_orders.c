/* Strategies that take the blocks of a space in random order: all of them, or those that a rule
 * leaves. */
#include "experiments/tuner/search_parts.h"

#include <limits.h>

/* No block that takes three times as long as the best is a winner or a tie, however noisy its first
 * timings were, and a heat map shows it as "slow" whatever it is exactly. */
static const double PATIENCE = 3;

void plan_random(struct search *s)
{
    if (s->phase++ == 0)
        search_scatter(s, INT_MAX, PATIENCE);
}

/* What the thesis began with (its table 3.1): heat maps always show it. */
static const struct block reference = {16, 12};

/* The space is coarse where heat maps need no more; so the winner's surroundings are looked at in
 * full once the winner is known. */
void plan_exhaustive(struct search *s)
{
    struct block around[SPACE_AROUND];
    const int phase = s->phase++, best = search_best(s);
    if (phase == 0) {
        if (!s->setup.kernel->threads && s->setup.backend == CUDA)
            search_want(s, search_add(s, reference), PATIENCE, 0);
        search_scatter(s, INT_MAX, PATIENCE);
    }
    if (phase != 1 || best < 0)
        return;
    const int count = space_around(s->setup.kernel, s->setup.backend, s->point[best].b, around);
    for (int k = 0; k < count; k++)
        search_want(s, search_add(s, around[k]), PATIENCE, 0);
}

/* The default block stays in, so that what tuning gains is known; so does 16x16, the usual choice
 * of those who do not tune. */
void plan_pruned(struct search *s)
{
    const struct kernel *k = s->setup.kernel;
    const enum backend_kind backend = s->setup.backend;
    if (s->phase++ > 0)
        return;
    for (int p = 0; p < s->count; p++) {
        const struct block b = s->point[p].b, usual = k->block[backend];
        s->point[p].listed = space_keeps(k, backend, b) || (b.w == usual.w && b.h == usual.h) ||
                             (b.w == 16 && b.h == 16);
    }
    search_scatter(s, INT_MAX, PATIENCE);
}
