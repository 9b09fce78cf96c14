/* Mistake: no test for opposite signs. */
#include "real.h"

PROPERTIES("mean", "nobody", SYMMETRIC | SECOND_ORDER)

FN real over_extrema(real a, real b, real theta)
{
    (void)theta;
    return REAL(0.5) * (a + b);
}
