/* Fills the ghost cells of the unknowns of a system without a bed, as its table says: edges mirror, repeat or
 * continue the cells inside. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* as in boundary.cu */
#endif

#include "ghosts.h"

#include "any_boundary.h"

NO_TILES;

/* Adds the rise across a periodic edge: beyond the eastern edge, for example, an unknown is higher by its
 * rise than in the west. */
FN void raise(real *q, const struct place p, real rise)
{
    for (int ghost = 1; ghost <= GHOSTS; ghost++) {
        const real rounds = ghost > p.n ? REAL(2) : REAL(1);
        q[p.last + ghost * p.out] += p.low ? -rounds * rise : rounds * rise;
    }
}

KERNEL(any_boundary, struct any_boundary_args)
{
    (void)t;
    if (a.clock->halt)
        return;
    FOR_TILE(i, j, 0, 0) {
        if (is_absent(a.where, X0 + i))
            continue;
        const struct place here = place_on_rim(X0 + i, a.nx, a.ny, a.pitch, a.pitch, a.where);
        for (int u = 0; u < a.unknowns && a.kind[here.edge] != NEIGHBOUR; u++) {
            copy_unknown(a.unknown[u], here, a.kind[here.edge],
                         (real)(here.vertical ? a.mirror_x[u] : a.mirror_y[u]));
            if (a.rise && a.kind[here.edge] == PERIODIC)
                raise(a.unknown[u], here, a.rise[(here.vertical ? 0 : ANY_UNKNOWNS) + u]);
        }
    }
}
