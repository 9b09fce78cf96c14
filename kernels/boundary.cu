/* Fills the ghost cells outside edges that have one kind each and impose no numbers; edges.cu fills all others. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* its index arithmetic takes registers, and it is a small part of a step */
#endif

#include "ghosts.h"
#ifdef MEETING
#include "meeting.h"
#endif /* MEETING */

#ifndef FIRST_PLACE
#define FIRST_PLACE X0
#endif

NO_TILES;

KERNEL(boundary, struct boundary_args)
{
    (void)t;
    if (a.clock->halt)
        return;
#ifdef MEETING
    if (X0 < meeting.workers) {
        EXCHANGE_CELLS(meeting);
        return;
    }
#endif /* MEETING */
    FOR_TILE(i, j, 0, 0) {
        if (is_absent(a.where, FIRST_PLACE + i))
            continue;
        const struct place here =
            place_on_rim(FIRST_PLACE + i, a.nx, a.ny, a.pitch, a.bed_pitch, a.where);
        if (a.kind[here.edge] == NEIGHBOUR)
            continue;
        copy_ghosts(a.q, a.centre, here, a.kind[here.edge], a.p.still);
#ifdef WITH_TRACER
        copy_unknown(a.carried.from, here, a.kind[here.edge], REAL(1));
#endif /* WITH_TRACER */
    }
}
