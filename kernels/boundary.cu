/* Fills the ghost cells outside edges that have one kind each and impose no numbers; edges.cu fills all others. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* its index arithmetic takes registers, and it is a small part of a step */
#endif

#include "ghosts.h"

NO_TILES;

KERNEL(boundary, struct boundary_args)
{
    (void)t;
    if (a.clock->halt)
        return;
    FOR_TILE(i, j, 0, 0) {
        if (is_absent(a.where, X0 + i))
            continue;
        const struct place here =
            place_on_rim(X0 + i, a.nx, a.ny, a.pitch, a.bed_pitch, a.where);
        if (a.kind[here.edge] == NEIGHBOUR)
            continue;
        copy_ghosts(a.q, a.centre, here, a.kind[here.edge], a.p.still);
#ifdef WITH_TRACER
        copy_unknown(a.carried.from, here, a.kind[here.edge], REAL(1));
#endif /* WITH_TRACER */
    }
}
