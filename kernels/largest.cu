/* The largest wave speed of a part, put where all parts look for it before they choose the time step. One block. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* one block is all there is */
#endif

#include "num/step.h"

#include "halo.h"

NO_TILES;

KERNEL(largest, struct largest_args)
{
    (void)t;
    LARGEST_SPEED(pattern);
    ONCE
    {
        for (int k = 0; k < a.boards; k++)
            *a.board[k] = pattern;
    }
}
