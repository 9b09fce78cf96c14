/* The largest wave speed of a part, and of all parts, before they choose the time step. One block. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* there is only one block */
#endif

#include "num/step.h"

#include "halo.h"

NO_TILES;

KERNEL(largest, struct largest_args)
{
    (void)t;
    const unsigned round = this_round(&a.rounds);
    if (a.tasks & SENDS) {
        LARGEST_SPEED(pattern);
        ONCE
        {
            for (int k = 0; k < a.parts; k++)
                send(a.boards[round & 1][k], pattern, round);
            if (a.parts == 0)
                *a.largest = pattern;
        }
    }
    ONCE
    {
        if (a.tasks & RECEIVES) {
            bits most = 0;
            for (int k = 0; k < a.parts && a.clock->halt != LOST; k++) {
                bits of_part;
                receive(&of_part, &a.board[round & 1][WORDS * k], 1, 0, round, &a.rounds,
                        &a.clock->halt);
                most = of_part > most ? of_part : most;
            }
            *a.largest = most;
            end_round(&a.rounds, round);
        }
    }
}
