/* The largest wave speed of a part, and of all parts, before they choose the time step. One block. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* there is only one block */
#endif

#include "num/step.h"

#include "boards.h"

NO_TILES;

KERNEL(largest, struct largest_args)
{
    (void)t;
    const unsigned round = this_round(&a.on.rounds);
    if (a.tasks & SENDS) {
        LARGEST_SPEED(pattern);
        ONCE
        {
            announce(&a.on, pattern, round);
            if (a.on.parts == 0)
                *a.largest = pattern;
        }
    }
    ONCE
    {
        if (a.tasks & RECEIVES)
            *a.largest = largest_announced(&a.on, round, &a.clock->halt);
    }
}
