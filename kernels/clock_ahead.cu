/* The clock of the fused schemes. Their first substep takes a time step before the wave speeds of its state
 * are known: dt_factor times what the last step's allowed, and less while that shrinks. Between the substeps
 * this kernel checks the wave speeds of the first, from which clock.cu would choose dt. It rejects a longer
 * step than they allow before the solution changes; the next pass redoes it with the allowed length, which
 * fits because the state is the same. The first pass of a run has no estimate and is always rejected. One
 * block. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* there is only one block */
#endif

#include "num/tried_step.h"
#ifdef MEETING
#include "meeting.h"
#endif /* MEETING */

NO_TILES;

KERNEL(ahead, struct ahead_args)
{
    (void)t;
    if (a.clock->halt)
        return;
    LARGEST_SPEED(pattern);
    ONCE
    {
#ifdef MEETING
        pattern = largest_of_all(&meeting, pattern, &a.clock->halt);
        if (a.clock->halt)
            return;
#endif /* MEETING */
        /* Copies are loaded at once, and no store delays a load. */
        struct clock c = *a.clock;
        struct ahead next = *a.ahead;
        if (judge(&c, &next, real_of(pattern)))
            for (int k = 0; k < COUNTERS; k++)
                a.counters[k] += next.counters[k];
#ifdef WITH_TRACER
        if (!c.halt && !c.rejected)
            a.carried.clipped[0] += a.carried.clipped[1];
        a.carried.clipped[1] = 0;
#endif /* WITH_TRACER */
        for (int k = 0; k < COUNTERS; k++)
            next.counters[k] = 0;
        *a.clock = c;
        *a.ahead = next;
    }
}
