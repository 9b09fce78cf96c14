#include "core/problem/downhill.h"

#include <math.h>

#include "core/problem/initial_state_parts.h"

/* Nothing is added on a wall that stands for missing terrain. */
static int may_flow(const struct initial *in, const struct source *from, int i, int j)
{
    if (initial_depth(in, i, j) >= in->dry)
        return 1;
    if (in->watered)
        return !from->wall || !from->wall(from->context, i, j);
    return in->force[0] && initial_get(in, in->force[0], i, j) > 0;
}

/* How far the surface falls from the higher of two cells to the other, m, if there is what may flow. */
static double fall(const struct initial *in, const struct source *from, int i, int j, int to_i,
                   int to_j)
{
    const double down =
        (initial_rest(in, i, j) - initial_rest(in, to_i, to_j)) +
        (initial_get(in, in->field[0], i, j) - initial_get(in, in->field[0], to_i, to_j));
    const int flows = down > 0 ? may_flow(in, from, i, j) : may_flow(in, from, to_i, to_j);
    return flows ? fabs(down) : 0;
}

/* In dt water at rest becomes g S dt fast on a surface of slope S = fall / size; that is C size / dt where
 * dt = size sqrt(C / (g fall)). */
double downhill_longest(const struct initial *in, const struct source *from,
                        const struct grid_info *grid, double g, double courant)
{
    double most = 0; /* fall over the square of the size, 1/m */
#pragma omp parallel for schedule(static) reduction(max : most)
    for (int j = 0; j < in->ny; j++) {
        for (int i = 0; i < in->nx; i++) {
            if (i + 1 < in->nx)
                most = fmax(most, fall(in, from, i, j, i + 1, j) / (grid->dx * grid->dx));
            if (j + 1 < in->ny)
                most = fmax(most, fall(in, from, i, j, i, j + 1) / (grid->dy * grid->dy));
        }
    }
    return most > 0 ? sqrt(courant / (g * most)) : 1e300;
}
