/* Decides which states the kernels after a scheme's steps record. The device decides, from the clock alone,
 * which they never write: how steps are launched, and where a run pauses, makes no difference. */
#ifndef SHOAL_SAMPLING_H
#define SHOAL_SAMPLING_H

/* When such a kernel is launched: the clock is set and passes begin; a pass is complete; passes have ended for
 * now. */
enum occasion { LOOK_BEGIN, LOOK_PASS, LOOK_END };

/* The pass has made its step, or a double one: the state is that of the clock's time. */
FN int stepped(const struct clock *c)
{
    return c->halt == RUNNING && !c->rejected;
}

/* Whether a multiple of `every` steps was reached in this pass. */
FN int passed_step(const struct clock *c, unsigned long every)
{
    return c->steps / every != c->start.steps / every;
}

/* Whether to record now: at the start, after each multiple of `every` steps, at the end. */
FN int is_due(const struct clock *c, int when, unsigned long every)
{
    if (when == LOOK_BEGIN)
        return c->steps == 0;
    if (when == LOOK_END)
        return c->halt == AT_END;
    return stepped(c) && passed_step(c, every);
}

/* Whether a multiple of `every` seconds, as core/run/output_schedule.h has them, was reached in this pass. */
FN int passed_time(const struct clock *c, double every)
{
    const double whole = c->start.t / every;
    if (!(whole < 0x1p53)) /* beyond, doubles are more than 1 apart */
        return 1;
    double n = (double)(long)whole;
    for (int k = 0; k < 2 && n * every <= c->start.t; k++)
        n = n + 1;
    return n * every <= c->t;
}

#endif
