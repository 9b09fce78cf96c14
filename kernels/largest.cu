/* The largest wave speed of a part, stored where all parts read it before they choose the time step. One block. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* there is only one block */
#endif

#include "num/step.h"

#include "halo.h"

NO_TILES;

KERNEL(largest, struct largest_args)
{
    (void)t;
    if (a.tasks & PACKS) {
        LARGEST_SPEED(pattern);
        ONCE {
            for (int k = 0; k < a.boards; k++)
                *a.board[k] = pattern;
        }
    }
    if (a.clock->halt)
        return;
    ONCE {
        if (!flags_meet(&a.flags, a.tasks))
            a.clock->halt = LOST;
    }
}
