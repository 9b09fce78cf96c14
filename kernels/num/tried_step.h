/* What becomes of a step whose dt was tried before the wave speeds of its state were known: see clock_ahead.cu. */
#ifndef SHOAL_TRIED_STEP_H
#define SHOAL_TRIED_STEP_H

#include "num/step.h"

#include "fused.h"

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

/* The largest step that the last one's waves allowed; 0 if the clock has moved too little since to compare with it: see
 * allowed(). */
FN double allowed_before(const struct clock *c)
{
    return c->dt_x <= 2 * (c->t_end - c->start.t) ? c->dt_x : 0;
}

/* The step to try next, and less than `factor` of what this one's waves allow while that shrinks. */
FN double length_to_try(double factor, double limit, double before)
{
    const double shrinking = limit < before ? limit / before : 1;
    return factor * shrinking * limit;
}

/* Accepts or rejects the step, and chooses the next one to try; tells whether it is accepted. */
FN int decide(struct clock *c, struct ahead *a, double limit)
{
    /* The step that meets the end may exceed `wanted`, by less than rounding. */
    const int fits =
        c->fixed_dt > 0 || a->dt <= rounded(limit) || rounded(a->wanted) <= rounded(limit);
    const int moved = misses_the_end(c, a);
    const double before = allowed_before(c);
    if (!moved)
        c->dt_x = limit;
    if (moved || !wanted_now(c, a) || !fits) {
        c->rejected = 1;
        c->redone += !moved && a->wanted > 0;
        try_next(c, a, moved ? a->wanted : limit); /* as if the end had always been this one */
        return 0;
    }
    if (c->fixed_dt > 0)
        c->overlong += c->fixed_dt > limit && c->t_end - c->t > limit;
    start(c, a->wanted, 1);
    try_next(c, a, length_to_try(c->dt_factor, limit, before));
    return 1;
}

/* The same with the largest wave speed over the cell size, 1/s, unless the run halts here. */
FN int judge(struct clock *c, struct ahead *a, real speed)
{
    return !halts(c, 1, speed) && decide(c, a, allowed(c, speed));
}

#endif
