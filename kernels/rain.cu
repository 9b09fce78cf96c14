/* Adds the rain of a step after the pass that made it. The step's length is then known, and the amount is the
 * integral of the rain over it, whatever the steps are. Rain falls straight down: momentum stays. A step's
 * rain may be far below a unit in the last place of the level: num/gain.h makes it accumulate. */
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1 /* times in double precision take registers */
#endif

#include "num/gain.h"
#include "num/knots.h"
#include "rain.h"

NO_TILES;

/* Fractions of the square roots of 23 and 29: strides that no update of a step has (schemes/operators.c). */
#define RAIN_STRIDE  0xcbbb9d5du
#define WATER_STRIDE 0x629a292au

/* The block's first cell in the domain. */
#define EAST_OF  X0
#define NORTH_OF Y0
#ifdef TILED
#undef EAST_OF
#undef NORTH_OF
#define EAST_OF  (here.i0 + X0)
#define NORTH_OF (here.j0 + TILE_Y0)
#endif /* TILED */

/* The field in force at a time, or the first. */
FN int field_at(const struct rain_args *a, double time)
{
    int low = 0, high = a->fields;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (a->begin[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Rain on cell number `cell` of the fields, m; field `first` is in force at `begin`. */
FN real fallen(const struct rain_args *a, int first, long cell, double begin, double end)
{
    real sum = REAL(0);
    for (int k = first; k < a->fields && a->begin[k] < end; k++) {
        const double from = a->begin[k] > begin ? a->begin[k] : begin;
        const double to = a->begin[k + 1] < end ? a->begin[k + 1] : end;
        sum = sum + (real)(to > from ? to - from : 0) * a->field[k * a->cells + cell];
    }
    return sum;
}

KERNEL(rain, struct rain_args)
{
    (void)t;
    const struct clock *const c = a.clock;
    if (c->halt || c->rejected)
        return;
    const double begin = c->start.t, end = c->t;
    const real dither = dither_of(c->steps, RAIN_STRIDE);
    const int first = a.fields > 0 ? field_at(&a, begin) : 0;
    const real even =
        a.rows > 0 ? (real)(integral_to(a.knots, a.rows, end) - integral_to(a.knots, a.rows, begin))
                   : REAL(0);
    FOR_TILE (i, j, 0, 0) {
        const long k = at(a.pitch, X0 + i, Y0 + j);
        real more = even;
        if (a.fields > 0)
            more = fallen(&a, first, a.along_x[EAST_OF + i] + a.along_y[NORTH_OF + j], begin, end);
        if (a.share)
            more = more * a.share[k];
#ifdef WITH_TRACER
        /* Rain is clean. */
        const real h = depth_of(a.eta[k], a.carried.centre[k], a.p.still), dye = a.carried.to[k];
        const real less = h > REAL(0)      ? dye * (more * inverse(h + more))
                          : more > REAL(0) ? dye
                                           : REAL(0);
        a.carried.to[k] = gained(dye, -less, dither_of(c->steps, WATER_STRIDE));
#endif /* WITH_TRACER */
        a.eta[k] = gained(a.eta[k], more, dither);
    }
}
