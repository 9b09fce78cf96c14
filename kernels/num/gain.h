/* Water that a cell gains or loses after a step, in amounts that may be far below a unit in the last place. */
#ifndef SHOAL_GAIN_H
#define SHOAL_GAIN_H

#define SUBSTEP 0 /* num/update.h needs it; any value does */
#include "num/update.h"

/* Like added() of num/update.h, but with the unit of the numbers above a power of two, so that additions
 * accumulate there, too. Neither rounding has a bias; with this one a power of two may change where nothing
 * is added, so it leaves that case alone. */
FN real gained(real x, real more, real dither)
{
#if PRECISION == 32
    const real unit = real_of(bits_of(x) & 0x7f800000u); /* times 2^23 */
    return more < REAL(0) || more > REAL(0) ? x + (more + dither * unit) : x;
#else
    (void)dither;
    return x + more;
#endif
}

#endif
