/* What kernels of a part do besides their work where all parts' kernels can wait for each other (rounds.h), so that
 * no launch of its own is needed for that: a substep sends the cells along the part's sides as soon as they are
 * computed, the kernel that fills ghost cells takes in what has arrived, and the one that chooses the time step
 * finds the largest wave speed of all parts. They are compiled with MEETING for that, and get a struct meeting
 * behind their own arguments; in an empty one there is nothing to do. */
#ifndef SHOAL_MEETING_H
#define SHOAL_MEETING_H

#include "boards.h"
#include "halo_cells.h"

struct meeting {
    struct exchange with;
    int workers; /* threads of the first blocks that exchange; whole blocks */
    struct boards_of_speeds on;
};

/* The block's first position on the rim, for kernels whose other blocks fill ghost cells outside the domain. */
#define FIRST_PLACE (X0 - meeting.workers)

/* What one of the threads that share the cells sends and takes in. Blocks send before they wait, so that parts whose
 * blocks run one after the other wait for nothing that comes later. */
FN void send_share(const struct meeting *m, int worker, unsigned round)
{
    for (int k = worker; k < m->with.sent.cells; k += m->workers)
        send_cell(&m->with, k, round);
}

FN void receive_share(const struct meeting *m, int worker, unsigned round)
{
    for (int k = worker; k < m->with.received.cells; k += m->workers)
        receive_cell(&m->with, k, round);
}

/* The work of a whole block. */
#define EXCHANGE_CELLS(m)                                    \
    do {                                                     \
        const unsigned round = this_round(&(m).with.rounds); \
        if (!is_sent(&(m).with.rounds))                      \
            FOR_TILE (i, j, 0, 0)                            \
                send_share(&(m), X0 + i, round);             \
        FOR_TILE (i, j, 0, 0)                                \
            receive_share(&(m), X0 + i, round);              \
        SYNC;                                                \
        ONCE end_round(&(m).with.rounds, round);             \
    } while (0)

/* Replaces a part's largest wave speed by that of all, unless there are none. */
FN bits largest_of_all(const struct meeting *m, bits own, unsigned *halt)
{
    if (m->on.parts == 0)
        return own;
    const unsigned round = this_round(&m->on.rounds);
    announce(&m->on, own, round);
    return largest_announced(&m->on, round, halt);
}

#endif
