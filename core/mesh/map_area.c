/* The written part of the domain: from coordinates to cells. */
#include "core/mesh/map_area.h"

#include <math.h>

enum { X_LOW, Y_LOW, X_HIGH, Y_HIGH, NUMBERS };

/* The first of n cells with its centre at or above x; n if there is none. */
static int first_from(const struct grid_info *g, int n, double (*at)(const struct grid_info *, int),
                      double x)
{
    int low = 0, high = n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (at(g, middle) < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Cells from..to-1 have their centres in low..high. */
static void range(const struct grid_info *g, int n, double (*at)(const struct grid_info *, int),
                  const double bounds[2], int *from, int *to)
{
    *from = first_from(g, n, at, bounds[0]);
    *to = first_from(g, n, at, nextafter(bounds[1], (double)INFINITY));
}

enum err map_area_cells(const double region[4], const struct grid_info *g, struct window *cells)
{
    const double x[2] = {region[X_LOW], region[X_HIGH]}, y[2] = {region[Y_LOW], region[Y_HIGH]};
    int i1, j1;
    *cells = (struct window){0, 0, g->nx, g->ny};
    if (isnan(region[0]))
        return ERR_OK;
    range(g, g->nx, grid_x, x, &cells->i0, &i1);
    range(g, g->ny, grid_y, y, &cells->j0, &j1);
    cells->nx = i1 - cells->i0;
    cells->ny = j1 - cells->j0;
    if (cells->nx > 0 && cells->ny > 0)
        return ERR_OK;
    FAIL(USAGE,
         "--region %.10g,%.10g,%.10g,%.10g: contains no cell's centre; the domain is x = %.10g to "
         "%.10g, y = %.10g to %.10g, with cells of %.6g x %.6g m",
         x[0], y[0], x[1], y[1], grid_xc(g, 0), grid_xc(g, g->nx), grid_yc(g, 0), grid_yc(g, g->ny),
         g->dx, g->dy);
}
