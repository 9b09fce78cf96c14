#include "core/problem/downhill.h"

#include <math.h>

#include "core/problem/initial_state_parts.h"

typedef int may_flow(const struct initial *in, int i, int j);

static int is_fed(const struct initial *in, int i, int j)
{
    return in->fed && in->fed[initial_offset(in, i, j)];
}

static int is_wet(const struct initial *in, int i, int j)
{
    return initial_depth(in, i, j) >= in->dry || is_fed(in, i, j) ||
           (in->force[0] && initial_get(in, in->force[0], i, j) > 0);
}

/* The fall of the surface from the higher of two cells to the other, m, if any water there can
 * flow. */
static double fall(const struct initial *in, may_flow *may, const int from[2], const int to[2])
{
    const double down = (initial_rest(in, from[0], from[1]) - initial_rest(in, to[0], to[1])) +
                        (initial_get(in, in->field[0], from[0], from[1]) -
                         initial_get(in, in->field[0], to[0], to[1]));
    const int *const upper = down > 0 ? from : to;
    return may(in, upper[0], upper[1]) ? fabs(down) : 0;
}

/* From the cells of a block to those east and north of them. */
static double steepest(const struct initial *in, may_flow *may)
{
    const struct grid_info *grid = &in->setup.grid;
    double most = 0;
    for (int j = 0; j < in->ny; j++) {
        for (int i = 0; i < in->nx; i++) {
            const int here[2] = {i, j}, east[2] = {i + 1, j}, north[2] = {i, j + 1};
            if (in->window.i0 + i + 1 < grid->nx)
                most = fmax(most, fall(in, may, here, east) / (grid->dx * grid->dx));
            if (in->window.j0 + j + 1 < grid->ny)
                most = fmax(most, fall(in, may, here, north) / (grid->dy * grid->dy));
        }
    }
    return most;
}

void downhill_look(const struct initial *block, struct findings *found)
{
    found->steepest = steepest(block, is_wet);
    found->steepest_fed = block->fed ? steepest(block, is_fed) : 0;
}

/* In dt, water at rest on a surface of slope S = fall / size reaches the speed g S dt; this equals
 * C size / dt for dt = size sqrt(C / (g fall)). */
double downhill_longest(double steepest, double g, double courant)
{
    return steepest > 0 ? sqrt(courant / (g * steepest)) : 1e300;
}
