/* Fills the ghost cells of the unknowns of a system that has no bed, by its table: edges mirror, repeat or pass on what
 * is inside. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* as in boundary.cu */
#endif

#include "ghosts.h"

#include "any_boundary.h"

NO_TILES;

KERNEL(any_boundary, struct any_boundary_args)
{
    (void)t;
    if (a.clock->halt)
        return;
    FOR_TILE(i, j, 0, 0) {
        if (is_absent(a.where, X0 + i))
            continue;
        const struct place here = place_on_rim(X0 + i, a.nx, a.ny, a.pitch, a.pitch, a.where);
        for (int u = 0; u < a.unknowns && a.kind[here.edge] != NEIGHBOUR; u++)
            copy_unknown(a.unknown[u], here, a.kind[here.edge],
                         (real)(here.vertical ? a.mirror_x[u] : a.mirror_y[u]));
    }
}
