/* Arguments of the kernel that fills the ghost cells of tiles with cells of their neighbours. */
#ifndef SHOAL_TILE_GHOSTS_ARGS_H
#define SHOAL_TILE_GHOSTS_ARGS_H

#include "tiling.h"

enum { TILED_UNKNOWNS = 4 }; /* as many as a system may have */

struct tile_ghosts_args {
    struct span span; /* one row: `each` ghost cells of every slot, one slot after the other */
    int each;
    long pitch;
    int rows; /* from one slot's to those of the next */
    const struct tile_place *place;
    const struct tile_neighbour *neighbour; /* [TILE_SIDES] of every slot */
    int unknowns;
    real *unknown[TILED_UNKNOWNS];
    int only_around; /* ghost cells across periodic edges alone: the kernels that write states fill the others */
    const real *centre; /* bed at the cells' centres; null: there is none */
    const real *rise;   /* as in struct any_boundary_args */
    const struct clock *clock;
    ALIGN8 struct physics p;
};

#endif
