/* The start of a time step, in double precision whatever the run's. */
#ifndef SHOAL_STEP_H
#define SHOAL_STEP_H

#include "args.h"

/* In the kernels' precision. */
FN double rounded(double dt)
{
    return PRECISION == 64 ? dt : (double)(float)dt;
}

/* The length of a step of dt: the last one is shortened to meet the end. */
FN double fitted(const struct clock *c, double dt)
{
    const double whole = rounded(dt);
    return c->t < c->t_end && c->t + whole >= c->t_end ? c->t_end - c->t : whole;
}

/* The coming step, or the first of `steps` equal ones, whose dt is not chosen yet. */
struct stretch_of_time {
    double begin, end, dt;
};

/* The value that start() will choose. */
FN struct stretch_of_time to_come(const struct clock *c, double dt, int steps)
{
    struct stretch_of_time s;
    s.begin = c->t;
    s.dt = rounded(dt);
    s.end = c->t + s.dt;
    if (c->t + steps * s.dt >= c->t_end) {
        s.dt = (c->t_end - c->t) / steps;
        s.end = steps == 1 ? c->t_end : c->t + s.dt;
    }
    return s;
}

/* Whether the time step has collapsed: it no longer moves the clock, or it is so far below the largest one, and
 * so small a part of the remaining time, that the run would never end. */
FN int collapsed(const struct clock *c)
{
    return c->t == c->start.t || !(c->t < 1e300) ||
           (c->dt < 1e-6 * c->dt_max && 1e8 * c->dt < c->t_end - c->start.t);
}

/* Starts a step, or `steps` equal ones, of dt. */
FN void start(struct clock *c, double dt, int steps)
{
    c->start.t = c->t;
    c->start.dt_min = c->dt_min;
    c->start.dt_max = c->dt_max;
    c->start.steps = c->steps;
    c->rejected = 0;
    c->dt_single = (float)dt;
    c->dt = rounded(dt);
    c->t = c->t + steps * c->dt;
    if (collapsed(c)) {
        c->t = c->start.t;
        c->halt = BROKEN;
        return;
    }
    if (c->t >= c->t_end) {
        c->t = c->t_end;
        c->dt = (c->t_end - c->start.t) / steps;
        c->dt_single = (float)c->dt;
    } else {
        c->dt_min = c->dt < c->dt_min ? c->dt : c->dt_min;
        c->dt_max = c->dt > c->dt_max ? c->dt : c->dt_max;
    }
    c->steps += (unsigned long)steps;
}

/* The step that a wave speed over the cell size, 1/s, allows: where nothing moves `idle`; never more than `most`. */
FN double limit_of(real speed, double courant, double idle, double most)
{
    const double dt = speed > REAL(0) ? courant / (double)speed : idle;
    return most < dt ? most : dt;
}

/* Where nothing moves: more than the rest of the run. */
FN double longest_idle(const struct clock *c)
{
    return 2 * (c->t_end - c->t) + 1;
}

/* At any speed. */
FN double longest_eased(const struct clock *c)
{
    const double eased = c->t + c->dt_at_rest;
    return c->dt_forced < eased ? c->dt_forced : eased;
}

/* The step that the Courant rule allows; speed is the largest wave speed over the cell size, 1/s. Where nothing
 * moves the rule allows more than the rest of the run, but forcing still limits the step. A film at rest on a
 * slope has slow waves, but speeds up within the step: so the first step is at most dt_at_rest, and each later
 * one at most that plus the time so far, so that the rule sees how fast the water has become. */
FN double allowed(const struct clock *c, real speed)
{
    return limit_of(speed, c->courant, longest_idle(c), longest_eased(c));
}

/* No wave is faster: else the run has broken down. */
#define FASTEST REAL(1e30)

/* Numbers that a thread loads at once, of n: in a shorter last round some again, as none waits for another so. */
#ifdef __CUDACC__
#define LOADS              16
#define WHOLE_ROUNDS_OF(n) (((n)-1) / (LOADS * BLOCK_THREADS) + 1) * (LOADS * BLOCK_THREADS)
#else
#define WHOLE_ROUNDS_OF(n) (n)
#endif

/* The largest of the blocks' wave speeds, as a pattern, for the thread of ONCE. */
#define LARGEST_SPEED(pattern)                                                   \
    bits pattern = 0;                                                            \
    MAX_LANES(fastest);                                                          \
    UNROLL(LOADS)                                                                \
    FOR_SPAN (k, WHOLE_ROUNDS_OF(a.blocks)) {                                    \
        TAKE_MAX(fastest, k & 15, real_of(a.block_speed[k < a.blocks ? k : 0])); \
    }                                                                            \
    BLOCK_MAX(pattern, fastest)

/* Whether the run halts here: because it has broken down; or at its end or a pause, where a step would begin.
 * This also detects a breakdown in the last step. */
FN int halts(struct clock *c, int beginning, real speed)
{
    if (!(speed <= FASTEST))
        c->halt = BROKEN;
    else if (beginning && (c->t >= c->t_end || c->steps >= c->step_limit))
        c->halt = AT_END;
    else if (beginning && c->t >= c->t_pause)
        c->halt = AT_PAUSE;
    return c->halt != RUNNING;
}

#endif
