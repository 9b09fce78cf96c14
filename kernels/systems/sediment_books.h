/* BOOK: adds up in integers how a step changes the sand, and records how far its share leaves its bounds. Part
 * of sediment.cu. */
#ifndef SHOAL_SEDIMENT_BOOKS_H
#define SHOAL_SEDIMENT_BOOKS_H

#if BOOKS

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

/* The sand that a cell gains in a step, in units. */
FN real gain_of(const struct sediment_args *a, real old_h, real old_s, real h, real s)
{
    return ((s - old_s) + old_s * (h - old_h) * a->p.PER_LAYER) * a->p.units;
}

/* How far a share is outside 0 to 1. Not -s: of 0 that is -0, whose pattern is above all others. */
FN real excess_of(real s)
{
    return positive(max2(s - REAL(1), REAL(0) - s));
}

/* A value that no counter holds, which each processor converts differently, has already broken the run
 * (sediment_limits.h). */
#ifdef __CUDACC__

/* What a cell gains is one number of parts where that is small enough for the sum over a block of 2^13 cells:
 * one conversion instead of three, and one sum instead of two. */
FN int is_small(real in_parts)
{
    return abs1(in_parts) < REAL(0x1p50);
}

/* Books a cell; `odd` is set where book_odd has to book the rest. */
FN void book(counter *sum, int *odd, real gained, real s)
{
    const real in_parts = gained * REAL(VOLUME_PARTS);
    const int small = is_small(in_parts);
    *sum += (counter)(long)(small ? in_parts : REAL(0));
    *odd |= !(small && s >= REAL(0) && s <= REAL(1));
}

FN void book_odd(const struct sediment_args *a, real gained, real s)
{
    if (!is_small(gained * REAL(VOLUME_PARTS))) {
        add(&a->booked[WHOLE], (counter)(long)gained);
        add(&a->booked[PARTS], (counter)parts(gained));
    }
    raise(a->excess, bits_of(excess_of(s)));
}

/* One thread of the block. */
FN void book_block(const struct sediment_args *a, counter gained, int block)
{
    const counter units = (counter)((long)gained >> 28); /* VOLUME_PARTS is 2^28 */
    add(&a->booked[WHOLE], units);
    add(&a->booked[PARTS], gained - (units << 28));
    if (block == 0)
        *a->away = a->goes_away;
}

#define BEGIN_BOOKS     \
    counter gained = 0; \
    int odd = 0
#define GAINED                         gained
#define BOOK(lane, old_h, old_s, h, s) book(&gained, &odd, gain_of(&a, old_h, old_s, h, s), s)

/* Reads what the thread's own cells were and are. */
#define BOOK_ODD                                                                        \
    if (odd)                                                                            \
        CELLS_AGAIN (i, j) {                                                            \
            const long k = CELL(i, j);                                                  \
            book_odd(&a, gain_of(&a, a.h[k], a.s[k], a.to_h[k], a.to_s[k]), a.to_s[k]); \
        }

#else

#define BEGIN_BOOKS              \
    counter whole = 0, part = 0; \
    MAX_LANES(beyond);           \
    ONCE t->whole = t->part = 0; \
    SYNC
#define BOOK(lane, old_h, old_s, h, s)                       \
    do {                                                     \
        const real gained = gain_of(&a, old_h, old_s, h, s); \
        whole += (counter)(long)gained;                      \
        part += (counter)parts(gained);                      \
        TAKE_MAX(beyond, lane, excess_of(s));                \
    } while (0)
#define END_BOOKS                        \
    bits most = 0;                       \
    add(&t->whole, whole);               \
    add(&t->part, part);                 \
    BLOCK_MAX(most, beyond);             \
    SYNC;                                \
    ONCE                                 \
    {                                    \
        add(&a.booked[WHOLE], t->whole); \
        add(&a.booked[PARTS], t->part);  \
        raise(a.excess, most);           \
        if (BLOCK_ID == 0)               \
            *a.away = a.goes_away;       \
    }
#endif

#else
#define BEGIN_BOOKS (void)0
#define GAINED      0
#define BOOK(lane, old_h, old_s, h, s)
#define BOOK_ODD  (void)0
#define END_BOOKS (void)0
#endif

#endif
