#include "core/mesh/grid_place.h"

static int cell_of(const struct grid_info *g, int n,
                   double (*corner)(const struct grid_info *, int), double x)
{
    int low = 0, high = n;
    if (!(x >= corner(g, 0) && x <= corner(g, n)))
        return -1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (x < corner(g, middle))
            high = middle;
        else
            low = middle;
    }
    return low;
}

int grid_column_of(const struct grid_info *g, double x)
{
    return cell_of(g, g->nx, grid_xc, x);
}

int grid_row_of(const struct grid_info *g, double y)
{
    return cell_of(g, g->ny, grid_yc, y);
}
