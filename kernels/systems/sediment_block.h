/* BEGIN_STEP and END_STEP: what the cells of a block allow of the step (LIMIT), and what they book (BOOK).
 * Part of sediment.cu. */
#ifndef SHOAL_SEDIMENT_BLOCK_H
#define SHOAL_SEDIMENT_BLOCK_H

#define BEGIN_STEP \
    BEGIN_BOOKS;   \
    BEGIN_LIMITS

#if !(LIMITS || BOOKS)
#define END_STEP (void)t
#elif !defined(__CUDACC__)
#define END_STEP \
    END_LIMITS;  \
    END_BOOKS
#else

/* The lanes of a warp; fewer than 32 in the last one of some blocks. */
struct lanes {
    int own, count;
    unsigned mask;
};

FN struct lanes lanes_of(int thread)
{
    const int whole = BLOCK_THREADS / 32, rest = BLOCK_THREADS % 32;
    struct lanes l;
    l.own = thread % 32;
    l.count = rest == 0 || thread / 32 < whole ? 32 : rest;
    l.mask = l.count == 32 ? 0xffffffffu : (1u << l.count) - 1;
    return l;
}

/* Over the lanes of a warp, in the first one. Instructions that reduce 32 bits take a sum in three pieces and a
 * maximum in two. */
#if __CUDA_ARCH__ >= 800

FN counter warp_sum(counter n, const struct lanes l)
{
    const unsigned piece = (1u << 26) - 1;
    const unsigned low = __reduce_add_sync(l.mask, (unsigned)n & piece);
    const unsigned middle = __reduce_add_sync(l.mask, (unsigned)(n >> 26) & piece);
    const unsigned high = __reduce_add_sync(l.mask, (unsigned)(n >> 52));
    return low + ((counter)middle << 26) + ((counter)high << 52);
}

FN bits warp_most(bits m, const struct lanes l)
{
#if PRECISION == 64
    const unsigned own = (unsigned)(m >> 32), high = __reduce_max_sync(l.mask, own);
    const unsigned low = __reduce_max_sync(l.mask, own == high ? (unsigned)m : 0u);
    return (bits)high << 32 | low;
#else
    return __reduce_max_sync(l.mask, m);
#endif
}

#else

FN counter warp_sum(counter n, const struct lanes l)
{
    for (int d = 16; d > 0; d /= 2) {
        const counter other = __shfl_down_sync(l.mask, n, d);
        n += l.own + d < l.count ? other : 0;
    }
    return n;
}

FN bits warp_most(bits m, const struct lanes l)
{
    return warp_max(m, l.own, l.count);
}

#endif

FN void end_step(const struct sediment_args *a, struct tiles *t, int block, int thread,
                 counter gained, real fastest)
{
    const struct lanes lanes = lanes_of(thread);
    const int warp = thread / 32;
    const counter sum = BOOKS ? warp_sum(gained, lanes) : 0;
    const bits most = LIMITS ? warp_most(bits_of(fastest), lanes) : 0;
    if (lanes.own == 0) {
        t->of_warp[warp].gained = sum;
        t->of_warp[warp].fastest = most;
    }
    SYNC;
    if (thread == 0) {
        counter all = 0;
        bits limit = 0;
        for (int k = 0; k < WARPS; k++) {
            all += t->of_warp[k].gained;
            limit = max_bits(limit, t->of_warp[k].fastest);
        }
#if LIMITS
        a->block_speed[block] = limit;
#endif
#if BOOKS
        book_block(a, all, block);
#endif
    }
}

#define END_STEP  \
    LIMIT_CLOSER; \
    BOOK_ODD;     \
    end_step(&a, t, BLOCK_ID, THREAD, GAINED, FASTEST)

#endif

#endif
