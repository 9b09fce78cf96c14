/* BEGIN_BOOKS, BOOK and END_BOOKS: add up in integers how steps change the sand, and record how far its share
 * leaves its bounds. Part of sediment.cu. */
#ifndef SHOAL_SEDIMENT_BOOKS_H
#define SHOAL_SEDIMENT_BOOKS_H

#if BOOKS

/* Sum over the threads of a warp, in its first one; elsewhere each thread keeps its own. */
FN int warp_sum(counter *n, int thread)
{
#ifdef __CUDACC__
    const int warps = (BLOCK_THREADS + 31) / 32, lane = thread % 32;
    const int lanes = thread / 32 == warps - 1 ? BLOCK_THREADS - 32 * (warps - 1) : 32;
    const unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
    for (int d = 16; d > 0; d /= 2) {
        const counter other = __shfl_down_sync(mask, *n, d);
        *n += lane + d < lanes ? other : 0;
    }
    return lane == 0;
#else
    (void)n;
    (void)thread;
    return 1;
#endif
}

FN void raise(bits *most, bits x)
{
    if (x <= *most)
        return;
#ifdef __CUDACC__
#if PRECISION == 64
    atomicMax((unsigned long long *)most, (unsigned long long)x);
#else
    atomicMax(most, x);
#endif
#else
    for (bits old = __atomic_load_n(most, __ATOMIC_RELAXED); x > old;)
        if (__atomic_compare_exchange_n(most, &old, x, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            break;
#endif
}

/* In a kernel's body: book a step's change of the sand, first in a block's tile and then in total, and by how
 * much s has left its bounds. A value that no counter holds, which each processor converts differently, has
 * already broken the run (limit_at). */
#define BEGIN_BOOKS              \
    counter whole = 0, part = 0; \
    MAX_LANES(beyond);           \
    ONCE t->whole = t->part = 0; \
    SYNC
#define BOOK(lane, old_h, old_s, h, s)                                                 \
    do {                                                                               \
        const real gained =                                                            \
            (((s) - (old_s)) + (old_s) * ((h) - (old_h)) * a.p.PER_LAYER) * a.p.units; \
        whole += (counter)(long)gained;                                                \
        part += (counter)parts(gained);                                                \
        TAKE_MAX(beyond, lane, positive(max2((s)-REAL(1), -(s))));                     \
    } while (0)
#if defined(__CUDACC__) || defined(EMULATE)
#define OWN_THREAD THREAD
#else
#define OWN_THREAD 0
#endif
#define END_BOOKS                                  \
    const int adds = warp_sum(&whole, OWN_THREAD); \
    (void)warp_sum(&part, OWN_THREAD);             \
    if (adds) {                                    \
        add(&t->whole, whole);                     \
        add(&t->part, part);                       \
    }                                              \
    bits most = 0;                                 \
    BLOCK_MAX(most, beyond);                       \
    SYNC;                                          \
    ONCE                                           \
    {                                              \
        add(&a.booked[WHOLE], t->whole);           \
        add(&a.booked[PARTS], t->part);            \
        raise(a.excess, most);                     \
        if (BLOCK_ID == 0)                         \
            *a.away = a.goes_away;                 \
    }

#else
#define BEGIN_BOOKS (void)t
#define BOOK(lane, old_h, old_s, h, s)
#define END_BOOKS
#endif

#endif
