/* The clock of a tried step without a launch of its own. The kernel that tries a step finds the largest wave speed; every
 * block of the next one judges the step by it, with the result of clock_ahead.cu. Both have one more row of blocks, the
 * first, of which one sets the terms and moves the clock on, beside the others. */
#ifndef SHOAL_OWN_CLOCK_H
#define SHOAL_OWN_CLOCK_H

#include "num/tried_step.h"

#include "own_ghosts.h"

FN void note_largest(bits *to, bits m)
{
#if !defined(__CUDACC__)
    bits most = __atomic_load_n(to, __ATOMIC_RELAXED);
    while (m > most &&
           !__atomic_compare_exchange_n(to, &most, m, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
#elif PRECISION == 64
    atomicMax((unsigned long long *)to, (unsigned long long)m);
#else
    atomicMax(to, m);
#endif
}

/* Other blocks may be counting. */
FN void add_count(counter *to, counter n)
{
#ifdef __CUDACC__
    atomicAdd((unsigned long long *)to, (unsigned long long)n);
#else
    __atomic_fetch_add(to, n, __ATOMIC_RELAXED);
#endif
}

/* The largest wave speed that the first kernel has found in a pass. */
FN real speed_found(const struct trial *t, unsigned pass)
{
#ifdef __CUDACC__ /* waiting for the pass's number before the load would take longer */
    const bits even = t->speed[0], odd = t->speed[1];
    return real_of(pass & 1 ? odd : even);
#else
    return real_of(t->speed[pass & 1]);
#endif
}

/* What the end of a block needs is then at hand. */
FN void expect_trial(const struct trial *t)
{
#ifdef __CUDACC__
    asm volatile("prefetch.global.L1 [%0];" ::"l"(&t->next));
#else
    (void)t;
#endif
}

/* By a thread of a block of the first kernel. */
FN void note_speed(const struct own_ghosts *own, bits m)
{
    if (own->trial)
        note_largest(&own->trial->speed[own->trial->next & 1], m);
}

/* As judge() does, for any speed. */
FN struct terms terms_of(struct clock c, const struct ahead *a, unsigned pass)
{
    struct terms t;
    const int ends = c.halt || halts(&c, 1, REAL(0));
    const double wanted = rounded(a->wanted);
    t.never = ends || misses_the_end(&c, a) || !wanted_now(&c, a);
    t.courant = c.courant;
    t.idle = longest_idle(&c);
    t.most = longest_eased(&c);
    t.length = c.fixed_dt > 0 ? 0 : a->dt < wanted ? a->dt : wanted;
    t.before = allowed_before(&c);
    t.factor = c.dt_factor;
    t.fixed_dt = c.fixed_dt;
    if (!t.never)
        start(&c, a->wanted, 1);
    t.never |= c.halt != RUNNING;
    t.dt = c.dt;
    t.single = c.dt_single;
    t.t = c.t;
    t.t_end = c.t_end;
    t.steps = c.steps;
    t.pass = pass;
    return t;
}

/* By one thread of the first kernel. */
FN void set_terms(const struct own_ghosts *own)
{
    const struct ahead a = *own->ahead;
    own->trial->terms = terms_of(*own->clock, &a, own->trial->next);
}

FN double limit_by(const struct terms *t, real speed)
{
    return limit_of(speed, t->courant, t->idle, t->most);
}

/* Whether a step is accepted whose waves are so fast, and allow so long a step. */
FN int accepts(const struct terms *t, real speed, double limit)
{
    return !t->never & (speed <= FASTEST) & (t->length <= rounded(limit));
}

/* The clock in the second kernel, as far as its blocks see it. */
FN struct clock judged(const struct own_ghosts *own)
{
    const struct terms t = own->trial->terms;
    const real speed = speed_found(own->trial, t.pass);
    struct clock c;
    c.halt = RUNNING;
    c.rejected = !accepts(&t, speed, limit_by(&t, speed));
    c.dt = t.dt;
    c.dt_single = t.single;
    c.steps = t.steps;
    return c;
}

FN struct clock clock_seen(const struct own_ghosts *own)
{
    struct clock c;
    if (own->trial)
        return judged(own);
    c.halt = own->clock->halt;
    c.rejected = own->clock->rejected;
    c.dt = own->clock->dt;
    c.dt_single = own->clock->dt_single;
    c.steps = own->clock->steps;
    return c;
}

/* By one thread of the second kernel. */
FN void move_clock_on(const struct own_ghosts *own)
{
    struct trial *const t = own->trial;
    struct clock *const c = own->clock;
    if (c->halt)
        return;
    const int accepted = judge(c, own->ahead, speed_found(t, t->next));
    for (int k = 0; k < COUNTERS; k++) {
        if (accepted)
            add_count(&own->counters[k], own->ahead->counters[k]);
        own->ahead->counters[k] = 0;
    }
#ifdef WITH_TRACER
    if (!c->halt && !c->rejected)
        add_count(&own->clipped[0], own->clipped[1]);
    own->clipped[1] = 0;
#endif /* WITH_TRACER */
    t->next++;
    t->speed[t->next & 1] = 0;
}

/* Before the body of a block, in the kernel that tries a step, and in the one that judges it, whose body sees the judged
 * clock: in the first row of blocks `work`, if the clock is their own. */
#define INSTEAD_OF_CLOCK(all, x, y, work)           \
    const int row = (y) - ((all)->MORE.trial != 0); \
    if (row < 0) {                                  \
        if ((x) == 0)                               \
            ONCE work(&(all)->MORE);                \
        return;                                     \
    }
#define TRY_STEP(all, x, y)                \
    INSTEAD_OF_CLOCK(all, x, y, set_terms) \
    if ((all)->MORE.trial)                 \
    expect_trial((all)->MORE.trial)
#define JUDGE_STEP(type, all, x, y)                    \
    INSTEAD_OF_CLOCK(all, x, y, move_clock_on)         \
    const struct clock now = clock_seen(&(all)->MORE); \
    type seen = (all)->args;                           \
    seen.clock = &now

#endif
