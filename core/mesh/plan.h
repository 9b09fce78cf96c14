/* The plan of a domain in parts: which ghost cells of a part copy which cells of which part. A side
 * without a neighbour is an edge of the domain, where the boundary condition fills the ghost cells. */
#ifndef SHOAL_PLAN_H
#define SHOAL_PLAN_H

#include "core/mesh/cut.h"

/* A rectangle of ghost cells (indexed like the part's cells, from its south-west one: -1 is the
 * first ghost in the west) and the equal rectangle of `part` that it copies. `around`: across a
 * periodic edge. */
struct plan_copy {
    int part, around;
    struct window to, from;
};
int plan_copy_cells(const struct plan_copy *c);

enum { PLAN_COPIES = 8, PLAN_SIDES = 4 };

struct plan {
    int neighbour
        [PLAN_SIDES]; /* west, east, south, north: the part there; -1: an edge of the domain */
    struct plan_copy copy[PLAN_COPIES];
    int copies;
};

/* How many cells deep: the copies of neighbours' cells; the ghosts at the domain's edges. */
struct depths {
    int beside, edge;
};

/* The plan of part k; `periodic`: in x, in y. A part as wide as the domain has no
 * neighbour across a periodic edge: there the boundary condition copies its own cells. */
struct plan plan_part(const struct partition *c, const int periodic[2], int k,
                      const struct depths *deep);

#endif
