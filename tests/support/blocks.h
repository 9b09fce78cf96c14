/* Blocks and lists of them; include after cmocka.h. */
#ifndef SHOAL_TEST_BLOCKS_H
#define SHOAL_TEST_BLOCKS_H

#include "tests/support/test.h"
#include "experiments/tuner/search.h"

static inline int same(struct block a, struct block b)
{
    return a.w == b.w && a.h == b.h;
}

/* The block, widened if a kernel that requires a number of threads must fit on a GPU. */
static inline struct block possible_block(const struct kernel *k, struct block b)
{
    const int least = k->space[CUDA].w[0].from, more = b.w > least ? b.w - least : 0;
    if (k->threads)
        b.w = least + (more + k->threads - 1) / k->threads * k->threads;
    return b;
}

static inline int has(const struct blocks *all, struct block b)
{
    for (int k = 0; k < all->count; k++)
        if (same(all->at[k], b))
            return 1;
    return 0;
}

#endif
