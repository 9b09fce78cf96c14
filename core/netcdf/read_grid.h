/* From a netCDF file's coordinates to a grid of equal cells. */
#ifndef SHOAL_READ_GRID_H
#define SHOAL_READ_GRID_H

#include "core/netcdf/variables.h"

/* One axis of a grid: n cells of size d from `start` on, m. */
struct ncgrid {
    size_t n;
    double start, d;
};

/* From the centres of cells; for a single one, from its two corners. Exact numbers of the grid,
 * which Shoal writes as attributes, replace computed ones, which have rounding errors. Existing
 * corners must match the cells. */
enum err ncgrid_from_centres(const struct ncaccess *f, const struct ncaxis *centre,
                             const struct ncaxis *corner, struct ncgrid *g);

/* From the corners alone. `attributes`: the variable that may have those numbers, or -1. */
enum err ncgrid_from_corners(const struct ncaccess *f, const struct ncaxis *corner, int attributes,
                             struct ncgrid *g);

#endif
