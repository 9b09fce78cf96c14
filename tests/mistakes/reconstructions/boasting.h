/* Mistake: the correction of Kurganov and Petrova, declared to keep a lake with islands at rest. */
#include "real.h"

PROPERTIES("Kurganov-Petrova", "Kurganov and Petrova 2007", SYMMETRIC | POSITIVE | WELL_BALANCED)

FN real boasting(real d, real low, real high)
{
    real clamped = min2(max2(d, -high), low);
    return low + high < REAL(0) ? REAL(0.5) * (low - high) : clamped;
}
