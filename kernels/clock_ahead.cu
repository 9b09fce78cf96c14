/* The clock of the fused schemes. Their first substep takes a time step before the wave speeds of its state
 * are known: dt_factor times what the last step's allowed, and less while that shrinks. Between the substeps
 * this kernel checks the wave speeds of the first, from which clock.cu would choose dt. It rejects a longer
 * step than they allow before the solution changes; the next pass redoes it with the allowed length, which
 * fits because the state is the same. The first pass of a run has no estimate and is always rejected. One
 * block. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* there is only one block */
#endif

#include "num/step.h"

#include "fused.h"
#ifdef MEETING
#include "meeting.h"
#endif /* MEETING */

NO_TILES;

/* Whether the current step is the one that the run needs now: dt may have been fixed since it was tried. */
FN int wanted_now(const struct clock *c, const struct ahead *a)
{
    return a->wanted > 0 && (c->fixed_dt <= 0 || a->wanted == c->fixed_dt);
}

/* Whether the step's end no longer fits, because the end of the run has moved since. */
FN int misses_the_end(const struct clock *c, const struct ahead *a)
{
    return a->wanted > 0 && a->dt != fitted(c, a->wanted);
}

FN void try_next(const struct clock *c, struct ahead *a, double dt)
{
    a->wanted = c->fixed_dt > 0 ? c->fixed_dt : dt;
    a->dt = fitted(c, a->wanted);
    a->single = (float)a->dt;
}

FN void decide(struct clock *c, struct ahead *a, double limit, counter *counters)
{
    /* The step that meets the end may exceed `wanted`, by less than rounding. */
    const int fits = c->fixed_dt > 0 || a->dt <= rounded(limit) || rounded(a->wanted) <= rounded(limit);
    const int moved = misses_the_end(c, a);
    const int moved_before = c->dt_x <= 2 * (c->t_end - c->start.t); /* else see allowed() */
    const double shrinking = moved_before && limit < c->dt_x ? limit / c->dt_x : 1;
    if (!moved)
        c->dt_x = limit;
    if (moved || !wanted_now(c, a) || !fits) {
        c->rejected = 1;
        c->redone += !moved && a->wanted > 0;
        try_next(c, a, moved ? a->wanted : limit); /* as if the end had always been this one */
        return;
    }
    if (c->fixed_dt > 0)
        c->overlong += c->fixed_dt > limit && c->t_end - c->t > limit;
    for (int k = 0; k < COUNTERS; k++)
        counters[k] += a->counters[k];
    start(c, a->wanted, 1);
    try_next(c, a, c->dt_factor * shrinking * limit);
}

KERNEL(ahead, struct ahead_args)
{
    (void)t;
    struct clock *c = a.clock;
    if (c->halt)
        return;
    LARGEST_SPEED(pattern);
    ONCE
    {
#ifdef MEETING
        pattern = largest_of_all(&meeting, pattern, &c->halt);
        if (c->halt)
            return;
#endif /* MEETING */
        const real speed = real_of(pattern);
        if (!halts(c, 1, speed))
            decide(c, a.ahead, allowed(c, speed), a.counters);
#ifdef WITH_TRACER
        if (!c->halt && !c->rejected)
            a.carried.clipped[0] += a.carried.clipped[1];
        a.carried.clipped[1] = 0;
#endif /* WITH_TRACER */
        for (int k = 0; k < COUNTERS; k++)
            a.ahead->counters[k] = 0;
    }
}
