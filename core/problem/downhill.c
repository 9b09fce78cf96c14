#include "core/problem/downhill.h"

#include <math.h>

#include "core/problem/initial_state_parts.h"

/* Which cells of a row have water that can flow, and which of those get it from outside. */
struct flowing {
    unsigned char water[INITIAL_SIDE + 1], fed[INITIAL_SIDE + 1];
};

static void mark(const struct initial *in, const struct settled_row *row, struct flowing *f)
{
    for (int i = 0; i < row->n; i++) {
        f->fed[i] = in->fed ? in->fed[initial_offset(in, i, row->j)] : 0;
        f->water[i] = row->depth[i] >= in->dry || f->fed[i] ||
                      (in->force[0] && initial_get(in, in->force[0], i, row->j) > 0);
    }
}

/* The fall of the surface from the higher of two cells to the other, m, if any water there can
 * flow. */
static inline double fall(double rest, double eta, unsigned char may, unsigned char other_may)
{
    const double down = rest + eta;
    return (down > 0 ? may : other_may) ? fabs(down) : 0;
}

/* The steepest from n cells to others. */
static double steepest(const struct settled_row *a, const unsigned char *may, int from,
                       const struct settled_row *b, const unsigned char *other_may, int to, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = initial_larger(most, fall(a->rest[from + i] - b->rest[to + i],
                                         a->eta[from + i] - b->eta[to + i], may[from + i],
                                         other_may[to + i]));
    return most;
}

static double over_square(double most, double size)
{
    return most / (size * size);
}

void downhill_look(const struct initial *block, const struct settled_row *here,
                   const struct settled_row *north, struct findings *found)
{
    const struct grid_info *g = &block->setup.grid;
    struct flowing own = {0}, other = {0};
    double *const most[2] = {&found->steepest, &found->steepest_fed};
    mark(block, here, &own);
    if (north)
        mark(block, north, &other);
    for (int k = 0; k < (block->fed ? 2 : 1); k++) {
        const unsigned char *may = k ? own.fed : own.water, *there = k ? other.fed : other.water;
        const double east = steepest(here, may, 0, here, may, 1, here->n - 1);
        *most[k] = fmax(*most[k], over_square(east, g->dx));
        if (north)
            *most[k] = fmax(*most[k],
                            over_square(steepest(here, may, 0, north, there, 0, block->nx), g->dy));
    }
}

/* In dt, water at rest on a surface of slope S = fall / size reaches the speed g S dt; this equals
 * C size / dt for dt = size sqrt(C / (g fall)). */
double downhill_longest(double steepest, double g, double courant)
{
    return steepest > 0 ? sqrt(courant / (g * steepest)) : 1e300;
}
