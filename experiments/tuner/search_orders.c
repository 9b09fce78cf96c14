/* Strategies that try the blocks of a space in random order: all of them, or those that a rule
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

/* The thesis's initial choice (its table 3.1): heat maps always show it. */
static const struct block reference = {16, 12};

/* The space is only as fine as heat maps need, so the winner's whole neighbourhood is tried once it
 * is known. */
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

/* The default block stays in, to know the gain of tuning; so does 16x16, the usual choice without
 * tuning. */
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
