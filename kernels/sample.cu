/* Takes the state of evenly spread cells, for a picture of it: so few that they are copied in no time. It
 * changes nothing and asks no clock: a state at rest can be seen, too. */
#include "args.h"
#include "sample.h"

NO_TILES;

KERNEL(sample, struct sample_args)
{
    (void)t;
    FOR_TILE(i, j, 0, 0) {
        const long to = at(a.span.nx, X0 + i, Y0 + j);
        /* The cell that the middle of the sample lies in. */
        const int x = (int)((2L * (X0 + i) + 1) * a.nx / (2L * a.span.nx)) - a.i0;
        const int y = (int)((2L * (Y0 + j) + 1) * a.ny / (2L * a.span.ny)) - a.j0;
        if (x < 0 || x >= a.own_nx || y < 0 || y >= a.own_ny)
            continue;
        a.eta[to] = a.q.eta[at(a.pitch, x, y)];
        a.mid[to] = a.centre[at(a.bed_pitch, x, y)];
    }
}
