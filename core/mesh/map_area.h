/* The written part of the domain. */
#ifndef SHOAL_MAP_AREA_H
#define SHOAL_MAP_AREA_H

#include "core/base/err.h"
#include "core/mesh/grid.h"

/* A rectangle of cells: nx x ny of them from cell (i0, j0) on. */
struct window {
    int i0, j0, nx, ny;
};

/* The cells whose centres lie in a region; all if its first number is NAN. Fails with ERR_USAGE if
 * there are none. */
enum err map_area_cells(const double region[4], const struct grid_info *g, struct window *cells);

#endif
