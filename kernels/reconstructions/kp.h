/* The correction of Kurganov and Petrova: where the limited surface would cut the bed at a face, it tilts the
 * surface to meet the bed there. Kurganov and Petrova 2007, eq. 2.15; paper III, figure 1d. */
#include "real.h"

PROPERTIES("Kurganov-Petrova", "Kurganov and Petrova 2007", SYMMETRIC | POSITIVE)

/* Half slope d of the surface across a cell whose mean level lies `low` and `high` above the bed at its lower
 * and upper face: the depths there are low - d and high + d. low + high is twice the mean depth; where rounding
 * makes it negative the result is the middle, so that mirroring mirrors the bits. */
FN real kp(real d, real low, real high)
{
    real clamped = min2(max2(d, -high), low);
    return low + high < REAL(0) ? REAL(0.5) * (low - high) : clamped;
}
