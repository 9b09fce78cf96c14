/* Mistake: minmod of positive differences only. */
#include "real.h"

PROPERTIES("minmod uphill only", "nobody", SYMMETRIC | TVD)

FN real upright(real a, real b, real theta)
{
    (void)theta;
    return max2(min2(a, b), REAL(0));
}
