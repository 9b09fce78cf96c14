/* Sends cells of a part to its neighbours, and copies the received cells into its ghost cells. On devices
 * that reach each other's memory numbers go straight there, and where a kernel can wait one launch does it
 * all (rounds.h); data that pass through the host are packed in a buffer. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* as in boundary.cu */
#endif

#include "args.h"
#include "halo_cells.h"

NO_TILES;

/* All parts halt in the same step. */
KERNEL(halo, struct halo_args)
{
    (void)t;
    const unsigned round = this_round(&a.with.rounds), halt = a.with.clock->halt;
    if (a.tasks & SENDS && !halt) {
        FOR_TILE (i, j, 0, 0) {
            for (int k = X0 + i; k < a.with.sent.cells; k += a.span.nx)
                send_cell(&a.with, k, round);
        }
    }
    if (!(a.tasks & RECEIVES))
        return;
    if (!halt) {
        FOR_TILE (i, j, 0, 0) {
            for (int k = X0 + i; k < a.with.received.cells; k += a.span.nx)
                receive_cell(&a.with, k, round);
        }
    }
    SYNC;
    ONCE
    {
        end_round(&a.with.rounds, round);
    }
}
