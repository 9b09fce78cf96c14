/* How parts find the largest of all their wave speeds: each sends its own to the boards of all. One thread. */
#ifndef SHOAL_BOARDS_H
#define SHOAL_BOARDS_H

#include "halo.h"

FN void announce(const struct boards_of_speeds *on, bits own, unsigned round)
{
    for (int k = 0; k < on->parts; k++)
        send(on->boards[round & 1][k], own, round);
}

/* Undefined if one does not arrive in time. */
FN bits largest_announced(const struct boards_of_speeds *on, unsigned round, unsigned *halt)
{
    bits most = 0;
    for (int k = 0; k < on->parts && *halt != LOST; k++) {
        bits of_part;
        receive(&of_part, &on->board[round & 1][(long)WORDS * k], 1, 0, round, &on->rounds, halt);
        most = of_part > most ? of_part : most;
    }
    end_round(&on->rounds, round);
    return most;
}

#endif
