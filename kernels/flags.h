/* How parts on different devices wait for each other inside kernels. Each part counts its rounds. When all
 * blocks of its launch have stored what the others need, the last one raises the part's flags, one in the memory
 * of each part that waits for it, to the number of the round; then it waits for the flags that these raise here.
 * On devices that cannot wait in a kernel, raising and waiting are launches of their own. */
#ifndef SHOAL_FLAGS_H
#define SHOAL_FLAGS_H

/* What a launch does. */
enum tasks { PACKS = 1, RAISES = 2, AWAITS = 4, UNPACKS = 8 };

/* As enum halt in args.h: a flag was not raised in time. */
enum { LOST = 4 };

struct flags {
    unsigned *round;            /* the last one; then the blocks that have stored, of the next */
    unsigned *const *raised;    /* of each of the others, in its memory: this part's flag */
    unsigned *const *awaited;   /* the flags of the others, in this one's memory */
    const unsigned *abandoned;  /* of the host: not zero if a part has failed, so it is no use to wait */
    unsigned long patience;     /* ns */
    int count;                  /* of the others; 0: nothing is raised, nothing awaited */
    int blocks;                 /* of the launch; all run at once if it raises and awaits */
};

#ifdef __CUDACC__
FN unsigned flag_value(const unsigned *flag)
{
    unsigned value;
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
}

FN void raise_flag(unsigned *flag, unsigned value)
{
    asm volatile("st.release.sys.global.u32 [%0], %1;" : : "l"(flag), "r"(value) : "memory");
}

FN unsigned long nanoseconds(unsigned long spins)
{
    unsigned long now;
    (void)spins;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

/* What this thread has seen of its block's stores, the others' devices see before what it stores later. */
#define FENCE_ALL __threadfence_system()
#else
FN unsigned flag_value(const unsigned *flag)
{
    return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

FN void raise_flag(unsigned *flag, unsigned value)
{
    __atomic_store_n(flag, value, __ATOMIC_RELEASE);
}

/* Roughly: a CPU's kernels have no clock. */
FN unsigned long nanoseconds(unsigned long spins)
{
    return 10 * spins;
}

#define FENCE_ALL __atomic_thread_fence(__ATOMIC_SEQ_CST)
#endif

/* For one thread of each block, after all threads of it have stored; returns the number of the round. */
FN unsigned flags_raise(const struct flags *f)
{
    const unsigned round = flag_value(f->round) + 1;
    FENCE_ALL;
    if (TICKET((int *)&f->round[1]) < f->blocks - 1)
        return round;
    f->round[1] = 0;
    FENCE_ALL;
    raise_flag(f->round, round);
    for (int k = 0; k < f->count; k++)
        raise_flag(f->raised[k], round);
    return round;
}

/* For one thread; false if a flag is not raised in time. Rounds are compared as the numbers of a circle. */
FN int flags_await(const struct flags *f, unsigned round)
{
    enum { SPINS = 1024 }; /* from one look at the clock to the next */
    for (int k = 0; k < f->count; k++) {
        unsigned long spins = 0, begin = 0;
        while ((int)(flag_value(f->awaited[k]) - round) < 0) {
            if (++spins % SPINS != 0)
                continue;
            const unsigned long now = nanoseconds(spins);
            begin = begin ? begin : now;
            if (now - begin > f->patience || flag_value(f->abandoned))
                return 0;
        }
    }
    return 1;
}

/* For one thread: what `tasks` says of flags; false if one is not raised in time. */
FN int flags_meet(const struct flags *f, int tasks)
{
    if (!(tasks & (RAISES | AWAITS)))
        return 1;
    const unsigned round = tasks & RAISES ? flags_raise(f) : *f->round;
    return !(tasks & AWAITS) || flags_await(f, round);
}

#endif
