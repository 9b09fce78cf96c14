/* Inflow of the cells beside edges: the case's source terms, and the inflow through the segments of edges;
 * from a series, its value at the start of the step. Where sediment leaves, the total splits as the cell's
 * own fluxes would. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* as in boundary.cu */
#endif

#include "ghosts.h"

#include "num/knots.h"
#include "systems/sediment.h"

NO_TILES;

/* Inflow into the domain, m2/s. */
struct supply {
    real sand, mud;
};

/* A number of a segment, from its series if it has one. */
FN real number_of(const struct sediment_edges_args *a, int segment, int which)
{
    const int number = segment * GIVENS + which;
    for (int k = 0; k < a->count; k++)
        if (a->series[k].given == number) {
            const struct knot *const row = a->knots + a->series[k].first;
            const double time = a->clock->t;
            const struct knot own = row[row_at(row, a->series[k].rows, time)];
            return (real)(time > own.time ? own.value + (time - own.time) / own.slowness
                                          : own.value);
        }
    return a->given[number];
}

FN struct supply supply_at(const struct sediment_edges_args *a, int edge, int position, long cell)
{
    const int segment = a->segment[edge][position], kind = a->kind[segment];
    struct supply q;
    q.sand = q.mud = REAL(0);
    if (kind == SUPPLY) {
        q.sand = number_of(a, segment, GIVEN_ACROSS);
        q.mud = number_of(a, segment, GIVEN_ALONG);
    } else if (kind == LOSS) {
        const real total = number_of(a, segment, GIVEN_ACROSS);
        const real sand = a->alpha[cell] * a->s[cell] * a->p.PER_SAND;
        const real mud = a->beta[cell] * (REAL(1) - a->s[cell]) * a->p.PER_MUD;
        q.sand = sand + mud > REAL(0) ? total * (sand / (sand + mud)) : REAL(0);
        q.mud = sand + mud > REAL(0) ? total * (mud / (sand + mud)) : REAL(0);
    }
    return q;
}

/* A cell at several edges counts for the first of them, which adds up what all of them bring. */
FN int is_first(const struct sediment_edges_args *a, int edge, int i, int j)
{
    return !(edge > WEST && i == 0) && !(edge > EAST && i == a->nx - 1) &&
           !(edge == NORTH && j == 0);
}

KERNEL(sediment_edges, struct sediment_edges_args)
{
    (void)t;
    if (a.clock->halt)
        return;
    FOR_TILE(m, n, 0, 0) {
        const struct place here = place_on_rim(X0 + m, a.nx, a.ny, a.pitch, a.pitch, a.where);
        const int i = here.vertical ? (here.low ? 0 : a.nx - 1) : here.s;
        const int j = here.vertical ? here.s : here.low ? 0 : a.ny - 1;
        const long k = here.last;
        const struct supply own = supply_at(&a, here.edge, here.s, k);
        if (a.rim[here.edge]) {
            a.rim[here.edge][here.s] = here.low ? own.sand + own.mud : -(own.sand + own.mud);
            a.rim_sand[here.edge][here.s] = here.low ? own.sand : -own.sand;
        }
        if (!is_first(&a, here.edge, i, j))
            continue;
        real sum[2], sand[2]; /* in x, in y */
        for (int axis = 0; axis < 2; axis++) {
            const int last = axis == 0 ? a.nx - 1 : a.ny - 1, at_low = (axis == 0 ? i : j) == 0;
            const int at_high = (axis == 0 ? i : j) == last, along = axis == 0 ? j : i;
            struct supply low, high;
            low.sand = low.mud = high.sand = high.mud = REAL(0);
            if (at_low)
                low = supply_at(&a, 2 * axis, along, k);
            if (at_high)
                high = supply_at(&a, 2 * axis + 1, along, k);
            sum[axis] = (low.sand + low.mud) + (high.sand + high.mud);
            sand[axis] = low.sand + high.sand;
        }
        a.in[k] = (sum[0] * a.p.inv_dx + sum[1] * a.p.inv_dy) + (a.force ? a.force[k] : REAL(0));
        a.in_sand[k] = (sand[0] * a.p.inv_dx + sand[1] * a.p.inv_dy) +
                       (a.force_sand ? a.force_sand[k] : REAL(0));
    }
}
