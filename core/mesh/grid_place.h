/* Locates points in a grid. */
#ifndef SHOAL_GRID_PLACE_H
#define SHOAL_GRID_PLACE_H

#include "core/mesh/grid.h"

/* The column, or the row, of the cells that contain a coordinate; on the domain's upper edge the
 * last one. -1: outside. */
int grid_column_of(const struct grid_info *g, double x);
int grid_row_of(const struct grid_info *g, double y);

#endif
