/* Sends a number to another part's memory without a separate signal: value and round number in one 64-bit
 * store (the protocol that NCCL calls LL). The receiver polls until the round matches. The device counts the
 * rounds: graphs replay a launch with the arguments of its recording. */
#ifndef SHOAL_ROUNDS_H
#define SHOAL_ROUNDS_H

/* The tasks of a launch; on devices that cannot wait in a kernel it does only one of them. */
enum tasks { SENDS = 1, RECEIVES = 2 };

/* As enum halt in args.h: a number has not arrived in time. */
enum { LOST = 4 };

/* 64 bits that hold 32 of a number. */
typedef unsigned long word;
enum { WORDS = PRECISION / 32 };

/* What the device knows of the rounds of an exchange: the current one, which begins again at 0 after 2^32; how many
 * blocks have finished it; and whether a kernel before the one that exchanges has sent its cells. */
enum { ROUND, FINISHED, SENT_EARLY, ROUND_NUMBERS };

struct rounds {
    unsigned *number; /* [ROUND_NUMBERS] */
    const unsigned
        *abandoned;         /* on the host: not zero if a part has failed, so waiting is useless */
    unsigned long patience; /* ns */
    int blocks;             /* of the launch */
};

#ifdef __CUDACC__
FN word word_at(const word *p)
{
    word w;
    asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(w) : "l"(p) : "memory");
    return w;
}

FN void put_word(word *p, word w)
{
    asm volatile("st.relaxed.sys.global.u64 [%0], %1;" : : "l"(p), "l"(w) : "memory");
}

FN int is_abandoned(const struct rounds *r)
{
    return *(const volatile unsigned *)r->abandoned != 0;
}

FN unsigned long nanoseconds(unsigned long looks)
{
    unsigned long now;
    (void)looks;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}
#else
FN word word_at(const word *p)
{
    return __atomic_load_n(p, __ATOMIC_RELAXED);
}

FN void put_word(word *p, word w)
{
    __atomic_store_n(p, w, __ATOMIC_RELAXED);
}

FN int is_abandoned(const struct rounds *r)
{
    return __atomic_load_n(r->abandoned, __ATOMIC_RELAXED) != 0;
}

/* Approximate: a CPU's kernels have no clock. The awaited part may need this core; but however busy the
 * machine is, the wait must end. */
FN unsigned long nanoseconds(unsigned long looks)
{
    enum { PATIENT = 1 << 14 };
    extern int sched_yield(void);
    if (looks <= PATIENT)
        sched_yield();
    return 4 * looks;
}
#endif

FN unsigned this_round(const struct rounds *r)
{
    return r->number[ROUND];
}

FN int is_sent(const struct rounds *r)
{
    return r->number[SENT_EARLY] != 0;
}

FN void note_sent(const struct rounds *r)
{
    r->number[SENT_EARLY] = 1;
}

/* For one thread of each block of a launch that receives, after all threads have read the numbers. */
FN void end_round(const struct rounds *r, unsigned round)
{
    if (r->blocks > 1 && TICKET((int *)&r->number[FINISHED]) < r->blocks - 1)
        return;
    r->number[FINISHED] = r->number[SENT_EARLY] = 0;
    r->number[ROUND] = round + 1;
}

FN void send(word *to, bits pattern, unsigned round)
{
    for (int k = 0; k < WORDS; k++)
        put_word(&to[k], (word)round << 32 | (unsigned)((word)pattern >> 32 * k));
}

/* Whether polling is useless because this launch has lost another number; then the clock halts. */
FN int gives_up(const struct rounds *r, unsigned long looks, unsigned long *begin, unsigned *halt)
{
    enum { LOOKS = 1024 }; /* polls between two readings of the time */
    if (looks % LOOKS != 0)
        return 0;
    const unsigned long now = nanoseconds(looks);
    *begin = *begin ? *begin : now;
    if (now - *begin <= r->patience && !is_abandoned(r) && *halt != LOST)
        return 0;
    *halt = LOST;
    return 1;
}

/* Waits for `count` numbers, at most MOST_RECEIVED, `stride` words apart. It polls all of them together, so
 * that their latencies overlap. Numbers that do not arrive in time are undefined. */
enum { MOST_RECEIVED = 4 };
FN void receive(bits *to, const word *from, int count, long stride, unsigned round,
                const struct rounds *r, unsigned *halt)
{
    unsigned long looks = 0, begin = 0;
    int missing = 1;
    while (missing && (looks == 0 || !gives_up(r, looks, &begin, halt))) {
        missing = 0;
        UNROLL(4)
        for (int k = 0; k < MOST_RECEIVED; k++) {
            if (k < count) {
                word pattern = 0;
                for (int n = 0; n < WORDS; n++) {
                    const word w = word_at(&from[k * stride + n]);
                    missing |= w >> 32 != round;
                    pattern |= (w & 0xffffffffu) << 32 * n;
                }
                to[k] = (bits)pattern;
            }
        }
        looks++;
    }
}

#endif
