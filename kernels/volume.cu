/* Adds up the water of all cells, or the tracer in it, in integers: the sum is exact, whatever the order of
 * the terms. */
#define BLOCK_THREADS 256
#include "args.h"
#include "counters.h"
#include "num/depth.h"

NO_TILES;

FN int fits(real units)
{
    return abs1(units) < REAL(0x1p61);
}

KERNEL(volume, struct volume_args)
{
    (void)t;
    counter whole = 0, part = 0, left_out = 0;
    FOR_TILE(i, j, 0, 0) {
        const long k = at(a.pitch, X0 + i, Y0 + j);
        const real floor = floor_of(a.centre[k], a.p.still);
        const real above = (a.times ? (a.eta[k] - floor) * a.times[k] : a.eta[k]) * a.p.units;
        const real below = (a.times ? REAL(0) : floor) * a.p.units;
        if (fits(above) && fits(below)) {
            whole += (counter)((long)above - (long)below);
            part += (counter)(parts(above) - parts(below));
        } else {
            left_out++;
        }
    }
    add(&a.sum[WHOLE], whole);
    add(&a.sum[PARTS], part);
    add(&a.sum[LEFT_OUT], left_out);
}
