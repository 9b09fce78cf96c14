/* Chooses the time step from the blocks' largest wave speeds (thesis 2.3, "dt kernel"; eq. 2.5) and
 * advances the clock, in double precision whatever the run's. One block. */
#include "args.h"

NO_TILES;

/* Largest speed over cell size of all blocks, 1/s, to the step's length. */
FN void tick(struct clock *c, real speed)
{
    const double start = c->t;
    double dt = c->fixed_dt > 0 ? c->fixed_dt : c->courant / (double)speed;
    if (c->fixed_dt <= 0 && speed == REAL(0)) /* nothing moves */
        dt = c->t_end - start;
    c->dt_single = (float)dt;
    c->dt = PRECISION == 64 ? dt : (double)c->dt_single;
    c->t = start + c->dt;
    if (!(speed <= REAL(1e30)) || c->t == start) {
        c->t = start;
        c->halt = BROKEN;
        return;
    }
    if (c->t >= c->t_end) {
        c->t = c->t_end;
        c->dt = c->t_end - start;
        c->dt_single = (float)c->dt;
    } else {
        c->dt_min = c->dt < c->dt_min ? c->dt : c->dt_min;
        c->dt_max = c->dt > c->dt_max ? c->dt : c->dt_max;
    }
    c->steps++;
}

KERNEL(clock, struct clock_args)
{
    (void)t;
    struct clock *c = a.clock;
    if (c->halt)
        return;
    MAX_LANES(fastest);
    FOR_SPAN(k, a.blocks) {
        TAKE_MAX(fastest, k & 15, real_of(a.block_speed[k]));
    }
    bits speed = 0;
    BLOCK_MAX(speed, fastest);
    ONCE
    {
        if (c->t >= c->t_end || c->steps >= c->step_limit)
            c->halt = AT_END;
        else if (c->t >= c->t_pause)
            c->halt = AT_PAUSE;
        else
            tick(c, real_of(speed));
    }
}
