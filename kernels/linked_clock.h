/* The clock of a scheme that makes its step in one kernel, without a launch of its own: see own_clock.h. Many passes
 * follow each other there, and each one's blocks judge the step before it, each for itself, while one block more moves
 * the clock on; a last kernel judges the last of them. States change places in each pass, as the host has told all of
 * them. After a step that is rejected, the pass behind it does nothing, so that the state lies again where the next
 * one looks for it; if it is the last kernel that comes behind it, this copies the state. */
#ifndef SHOAL_LINKED_CLOCK_H
#define SHOAL_LINKED_CLOCK_H

#include "num/tried_step.h"

#include "hancock.h"
#include "linked_passes.h"
#include "own_clock.h"
#include "rim_sums.h"

#ifdef __CUDACC__
/* Copies `pairs` of 64 bits by loads that go out at once, wherever the numbers are used. */
FN void load_pairs(void *to, const void *from, int pairs)
{
    unsigned long long *const t = (unsigned long long *)to;
    const unsigned long long *const f = (const unsigned long long *)from;
    UNROLL(16)
    for (int k = 0; k < pairs; k++)
        asm volatile("ld.v2.b64 {%0, %1}, [%2];"
                     : "=l"(t[2 * k]), "=l"(t[2 * k + 1])
                     : "l"(f + 2 * k));
}
#endif

/* A pass, and the largest wave speed in it. */
struct pass_seen {
    struct link pass;
    real speed;
};

FN real speed_of_pass(const struct linked *l, unsigned number)
{
#ifdef __CUDACC__ /* waiting for the pass's number before the load would take longer */
    bits all[4];
    load_pairs(all, l->speed, (int)(sizeof all / 16));
    const bits even = number & 2 ? all[2] : all[0], odd = number & 2 ? all[3] : all[1];
    return real_of(number & 1 ? odd : even);
#else
    return real_of(l->speed[number & 3]);
#endif
}

FN struct pass_seen look_at_pass(const struct linked *l, int place)
{
    struct pass_seen p;
#ifdef __CUDACC__
    load_pairs(&p.pass, &l->pass[place & 1], (int)(sizeof p.pass / 16));
#else
    p.pass = l->pass[place & 1];
#endif
    p.speed = speed_of_pass(l, p.pass.terms.pass);
    return p;
}

/* The pass before `place`; nothing if there is none. */
FN struct pass_seen look_back(const struct linked *l, int place)
{
    struct pass_seen p;
    if (l && place > 0)
        return look_at_pass(l, place - 1);
    p.pass.tried = p.pass.crossed = 0;
    return p;
}

/* Whether it has made its step. */
FN int was_made(const struct pass_seen *p)
{
    const struct terms *const t = &p->pass.terms;
    return p->pass.tried & accepts(t, p->speed, limit_by(t, p->speed));
}

/* By a thread of a block of pass `place`. */
FN void note_linked_speed(struct linked *l, int place, bits m)
{
    if (l)
        note_largest(&l->speed[(l->first + (unsigned)place) & 3], m);
}

/* The end of a block then has at hand what it needs for that. */
FN void expect_linked(const struct linked *l)
{
#ifdef __CUDACC__
    if (l)
        asm volatile("prefetch.global.L1 [%0];" ::"l"(&l->first));
#else
    (void)l;
#endif
}

/* Behind a step that a pass has made. */
FN struct tried step_behind(const struct terms *t, double limit)
{
    struct tried next;
    struct clock c;
    c.t = t->t, c.t_end = t->t_end;
    const double wanted =
        t->fixed_dt > 0 ? t->fixed_dt : length_to_try(t->factor, limit, t->before);
    next.none = 0;
    next.dt = fitted(&c, wanted);
    next.single = (float)next.dt;
    next.steps = t->steps;
    return next;
}

/* By way of memory, behind which ptxas spills fewer registers in f64 (28 columns: 152 bytes read, not 208). */
FN struct tried step_kept(struct tried t)
{
#if defined(__CUDACC__) && PRECISION == 64 && defined(FAST)
    volatile double dt = t.dt;
    volatile unsigned long steps = t.steps;
    t.dt = dt;
    t.steps = steps;
#endif
    return t;
}

/* l is null if a launch of its own moves the clock on; `before` is the pass before this one. */
FN struct tried chosen_step(const struct linked *l, int place, const struct pass_seen *before,
                            const struct clock *clock, const struct ahead *ahead)
{
    if (l && place > 0) {
        const struct link *const p = &before->pass;
        const double limit = limit_by(&p->terms, before->speed);
        if (p->tried & accepts(&p->terms, before->speed, limit))
            return step_behind(&p->terms, limit);
        if (p->tried | !p->crossed)
            return no_step();
    }
    return step_ahead(clock, ahead);
}

FN struct tried step_to_try(const struct linked *l, int place, const struct pass_seen *before,
                            const struct clock *clock, const struct ahead *ahead)
{
    return step_kept(chosen_step(l, place, before, clock, ahead));
}

/* Moves the clock on over a pass, by one thread; tells whether the state then lies on the other side: after a pass that made
 * no step. Where an accepted step halts the run, start() has not moved the clock. */
FN int settle_pass(struct linked *l, int place, const struct own_ghosts *own)
{
    const struct link *const pass = &l->pass[place & 1];
    counter *const clipped = l->clipped[place & 1];
    if (!pass->tried)
        return !pass->crossed;
    const int accepted = judge(own->clock, own->ahead, speed_of_pass(l, pass->terms.pass));
    for (int k = 0; k < COUNTERS; k++) {
        if (accepted)
            add_count(&own->counters[k], clipped[k]);
        clipped[k] = 0;
    }
    return !accepted || own->clock->halt != RUNNING;
}

/* By one thread of a pass. */
FN void begin_pass(struct linked *l, int place, const struct own_ghosts *own)
{
    struct link *const now = &l->pass[place & 1];
    const unsigned number = l->first + (unsigned)place;
    const int crossed = place > 0 && settle_pass(l, place - 1, own);
    const struct ahead a = *own->ahead;
    now->terms = terms_of(*own->clock, &a, number);
    now->tried = own->clock->halt == RUNNING && !crossed;
    now->crossed = crossed;
    l->speed[(number + 1) & 3] = 0;
}

/* By one thread of the last kernel, behind pass `place`. */
FN void end_passes(struct linked *l, int place, const struct own_ghosts *own)
{
    settle_pass(l, place, own);
    l->first += (unsigned)place + 1;
}

/* The clock as a block of the last kernel sees it: rejected if the state lies where the pass before it began. */
FN struct clock clock_behind(const struct linked *l, int place, const struct clock *clock)
{
    struct clock seen;
    if (l) {
        const struct pass_seen p = look_at_pass(l, place);
        seen.halt = RUNNING;
        seen.rejected = p.pass.tried ? !was_made(&p) : !p.pass.crossed;
    } else {
        seen.halt = clock->halt;
        seen.rejected = clock->rejected;
    }
    return seen;
}

/* Positions of the rim that a block sums, and how many a thread sums at once, so that their latencies overlap. */
#define RIM_AT_ONCE 4
struct rim_share {
    int first, n;
    double dt; /* how long the fluxes lasted */
    const real *flux;
};

/* Those of pass `place`, if it has made a step, for block x of `blocks`; the first has the clock, unless it is alone. */
FN struct rim_share rims_to_sum(const struct linked *l, int place, const struct own_ghosts *own,
                                int x, int blocks)
{
    const struct rims *const r = &own->rims;
    const int all = 2 * (r->nx + r->ny), alone = blocks == 1;
    const int most = (all - 1) / (blocks - !alone) + 1, before = (x - !alone) * most;
    struct rim_share s;
    s.first = before;
    s.n = 0;
    s.flux = place & 1 ? r->flux[1] : r->flux[0];
    if (!s.flux || place < 0 || before < 0)
        return s;
    const struct pass_seen p = look_at_pass(l, place);
    if (was_made(&p))
        s.n = all - before < most ? all - before : most;
    s.dt = p.pass.terms.dt;
    return s;
}

/* Some of them from the m-th on. */
FN void sum_rims(const struct rims *r, const struct rim_share *s, int m)
{
    const int behind = 4 * (r->nx + r->ny), first = s->first + m;
    const int n = s->n - m;
    struct crossing c[RIM_AT_ONCE];
    real flux[RIM_AT_ONCE];
    UNROLL(4)
    for (int k = 0; k < RIM_AT_ONCE; k++)
        if (k < n) {
            c[k] = crossing_at(r->sum, r->lost, behind, first + k);
            flux[k] = s->flux[first + k];
        }
    UNROLL(4)
    for (int k = 0; k < RIM_AT_ONCE; k++)
        if (k < n)
            keep_crossing(r->sum, r->lost, behind, first + k,
                          crossed(c[k], r->nx, r->ny, first + k, s->dt, flux[k]));
}

/* Before the body of a block, where the first row of blocks does `work` instead, if the clock is the kernels' own, and sums
 * the flow through edges in pass `judged`. */
#define BESIDE_LINKED_CLOCK(all, x, y, work, judged)                                            \
    const int row = (y) - ((all)->args.linked != 0);                                            \
    if (row < 0) {                                                                              \
        const struct rim_share share = rims_to_sum((all)->args.linked, judged, &(all)->MORE, x, \
                                                   ((all)->args.span.nx - 1) / BW + 1);         \
        FOR_SPAN (m, (share.n + RIM_AT_ONCE - 1) / RIM_AT_ONCE)                                 \
            sum_rims(&(all)->MORE.rims, &share, RIM_AT_ONCE *m);                                \
        if ((x) == 0)                                                                           \
            ONCE work((all)->args.linked, (all)->args.place, &(all)->MORE);                     \
        return;                                                                                 \
    }

#endif
