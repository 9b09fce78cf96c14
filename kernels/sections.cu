/* Measures the flow through faces of cells: the numerical flux, whichever it is, of the states whose fluxes a
 * scheme uses, with the scheme's weights. So the volume that has passed a line is exactly what lies behind it
 * now and did not before. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* for few faces */
#endif

#include "num/face.h"
#include "sections.h"

NO_TILES;

/* Offsets from a cell to the next one across the face, in the state and in the bed; in the bed also along it. */
struct steps {
    long state, bed, along;
};

FN struct steps steps_of(const struct sections_args *a, int axis)
{
    struct steps s;
    s.state = axis == a->turned ? 1 : a->pitch;
    s.bed = axis == 0 ? 1 : a->bed_pitch;
    s.along = axis == 0 ? a->bed_pitch : 1;
    return s;
}

/* In a transposed state the discharges have swapped names, too. */
FN struct cell cell_at(const struct sections_args *a, int axis, long k, long m)
{
    const real *across = axis == a->turned ? a->q.hu : a->q.hv;
    const real *along = axis == a->turned ? a->q.hv : a->q.hu;
    return limited(cell_on(a->q.eta[k], across[k], along[k], a->ground.centre[m], a->p), a->p);
}

/* The states of a cell at its faces. */
FN struct halves halves_of(const struct sections_args *a, int axis, long k, long m)
{
    const struct steps s = steps_of(a, axis);
    const real *b = a->ground.corner + m;
    const struct cell before = cell_at(a, axis, k - s.state, m - s.bed);
    const struct cell here = cell_at(a, axis, k, m);
    const struct cell after = cell_at(a, axis, k + s.state, m + s.bed);
    return reconstructed(three_cells(before, here, after, rise_between(before, here),
                                     rise_between(here, after), bed_at_face(b[0], b[s.along]),
                                     bed_at_face(b[s.bed], b[s.bed + s.along])),
                         a->p);
}

FN real flux_through(const struct sections_args *a, struct section_entry f)
{
    const struct steps s = steps_of(a, f.axis);
    const long k = (a->turned ? f.turned : f.cell) + f.beyond * s.state;
    const long m = f.cell + f.beyond * s.bed;
    const struct halves low = halves_of(a, f.axis, k - s.state, m - s.bed);
    const struct halves high = halves_of(a, f.axis, k, m);
    return flux_between(low.high, high.low, rest_above(a->ground.centre[m - s.bed], a->p),
                        rest_above(a->ground.centre[m], a->p), a->p.g)
        .h;
}

/* Parts are rounded to the nearest; whole units among them are carried over. */
FN void book(counter *sum, double area)
{
    const double units = area * SECTION_UNITS;
    const long whole = (long)units;
    const double rest = (units - (double)whole) * SECTION_PARTS;
    const long parts = (long)sum[SECTION_PART] + (long)(rest < 0 ? rest - 0.5 : rest + 0.5);
    const long carried = parts / (long)SECTION_PARTS;
    sum[SECTION_WHOLE] = sum[SECTION_WHOLE] + (counter)(whole + carried);
    sum[SECTION_PART] = (counter)(parts - carried * (long)SECTION_PARTS);
}

KERNEL(sections, struct sections_args)
{
    (void)t;
    const struct clock *const c = a.clock;
    if (a.task == SECTION_LOOK && c->halt)
        return;
    FOR_TILE (i, j, 0, 0) {
        const int n = X0 + i;
        const struct section_entry f = a.face[n];
        if (a.task == SECTION_LOOK) {
            if (a.axes & (1 << f.axis))
                a.flux[n] = a.flux[n] + flux_through(&a, f);
            continue;
        }
        if (!c->halt && !c->rejected)
            book(a.sums + SECTION_SUMS * f.number, c->dt * a.share * (double)a.flux[n]);
        a.flux[n] = REAL(0);
    }
}
