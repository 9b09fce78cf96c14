/* Norms around a hydraulic jump. */
#include "verification/references/jump.h"

#include <math.h>

double jump_offset(const struct snapshot *s, double x, double middle)
{
    double nearest = s->grid.nx;
    for (int i = 0; i + 1 < s->grid.nx; i++) {
        double a = s->h[i], b = s->h[i + 1];
        if (a < middle && b >= middle) {
            double at = grid_x(&s->grid, i) + s->grid.dx * (middle - a) / (b - a);
            nearest = fmin(nearest, fabs(at - x) / s->grid.dx);
        }
    }
    return nearest;
}

/* The larger one; a NaN counts as larger than all. */
static double larger(double a, double b)
{
    return isnan(a) || b <= a ? a : b;
}

double jump_spared(const struct snapshot *s, double x)
{
    double worst = 0, most = 0;
    for (int j = 0; j < s->grid.ny; j++)
        for (int i = 0; i < s->grid.nx; i++) {
            int k = j * s->grid.nx + i;
            most = fmax(most, fabs(s->rhu[k]));
            if (fabs(grid_x(&s->grid, i) - x) > 4 * s->grid.dx)
                worst = larger(worst, fabs(s->hu[k] - s->rhu[k]));
        }
    return worst / most;
}
