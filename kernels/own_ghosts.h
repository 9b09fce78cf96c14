/* What a kernel of an undivided run gets to fill the ghost cells of the state that it writes: compiled with FILLS_GHOSTS,
 * its blocks do that (fill_own.h), and no launch of its own is needed. */
#ifndef SHOAL_OWN_GHOSTS_H
#define SHOAL_OWN_GHOSTS_H

#include "args.h"

struct own_ghosts {
    int kind[EDGES]; /* enum boundary: WALL, OPEN or PERIODIC */
};

#endif
