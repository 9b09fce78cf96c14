/* Chooses the time step from the blocks' largest wave speeds (thesis 2.3, "dt kernel", eq. 2.5; for the split
 * schemes 3.1.2 and 3.1.3) and advances the clock, in double precision whatever the run's. Values imposed at
 * edges limit the step, too. A step shorter than the one over which edges imposed their means is rejected,
 * and the next pass redoes it (see series.cu). One block. */
#include "num/step.h"
#ifdef MEETING
#include "meeting.h"
#endif /* MEETING */

NO_TILES;

FN void choose(struct clock *c, double limit, int split, int steps)
{
    enum { HOPELESS = 1000 }; /* rejections in a row: the step will never fit */
    double dt = limit;
    c->rejections = c->rejected ? c->rejections + 1 : 0;
    if (c->rejections > HOPELESS) {
        c->halt = BROKEN;
        return;
    }
    c->dt_x = limit;
    if (!split)
        c->dt_y = limit; /* the estimate for a split step that follows */
    if (split) {
        const double dt_y = c->dt_factor * c->dt_y;
        if (steps > 1) /* a pass takes the fluxes in x twice */
            dt = c->dt_factor * dt;
        dt = dt_y < dt ? dt_y : dt;
        dt = c->dt_cap < dt ? c->dt_cap : dt;
        c->dt_cap = 1e300;
    }
    c->dt_free = dt;
    if (c->fixed_dt > 0) {
        const double most = c->dt_most < limit ? c->dt_most : limit;
        c->overlong += steps * (c->fixed_dt > most && c->t_end - c->t > most);
        start(c, c->fixed_dt, steps);
    } else if (c->planned && dt < c->dt_most) {
        c->rejected = 1;
        c->redone += c->steps > 0; /* the first step has no earlier one to plan with */
    } else {
        start(c, c->dt_most < dt ? c->dt_most : dt, steps);
    }
}

/* Undoes a step that is too long: the clock goes back, nothing more is integrated, and the next pass redoes the
 * step with the limits found by then; a double step with half of them (thesis 3.1.3). */
FN void check(struct clock *c, double limit, int along_x, int steps, counter *counters)
{
    /* Both rounded: otherwise a dt equal to the limit might be rejected for ever. */
    const int too_long = c->dt > rounded(limit) && !(c->fixed_dt > 0);
    if (along_x)
        c->dt_x = limit;
    else
        c->dt_y = limit;
    if (!too_long)
        return;
    if (steps > 1) {
        c->dt_cap = 0.5 * c->dt_x;
        c->dt_y = 0.5 * c->dt_y;
    }
    c->t = c->start.t;
    c->dt_min = c->start.dt_min;
    c->dt_max = c->start.dt_max;
    c->steps = c->start.steps;
    for (int k = 0; k < COUNTERS; k++)
        counters[k] = c->start.counters[k];
    c->rejected = 1;
    c->redone++;
}

KERNEL(clock, struct clock_args)
{
    (void)t;
    struct clock *c = a.clock;
    const int checking = a.task == CHECK_X || a.task == CHECK_Y;
    if (c->halt || (checking && c->rejected))
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
        if (halts(c, !checking, speed))
            return;
        if (checking) {
            check(c, allowed(c, speed), a.task == CHECK_X, a.steps, a.counters);
        } else {
            for (int k = 0; k < COUNTERS; k++)
                c->start.counters[k] = a.counters[k];
            choose(c, allowed(c, speed), a.task == CHOOSE_X, a.steps);
            if (c->rejected) /* no step: the map is still that of the last one */
                return;
            c->early_exits += c->halt == RUNNING && a.early_exit;
            c->map_age = a.early_exit ? 0 : c->map_age + 1;
        }
    }
}
