/* From the coordinates of a netCDF file to a grid of equal cells. */
#ifndef SHOAL_READ_GRID_H
#define SHOAL_READ_GRID_H

#include "core/netcdf/variables.h"

/* One axis of a grid: n cells of size d from `start` on, m. */
struct ncgrid {
    size_t n;
    double start, d;
};

/* From the centres of cells; where there is one only, from its two corners. The numbers that the grid
 * was written with, which Shoal leaves in attributes, replace what can be computed to rounding only.
 * Corners that the file has must be those of the cells. */
enum err ncgrid_from_centres(const struct ncaccess *f, const struct ncaxis *centre,
                             const struct ncaxis *corner, struct ncgrid *g);

/* From the corners alone. `attributes`: the variable that may have those numbers, or -1. */
enum err ncgrid_from_corners(const struct ncaccess *f, const struct ncaxis *corner, int attributes,
                             struct ncgrid *g);

#endif
