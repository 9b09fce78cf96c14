/* Mistake: van Leer's harmonic mean divides 0 by 0 where both differences are 0. */
#include "real.h"

PROPERTIES("van Leer without a guard", "van Leer 1974", SYMMETRIC | TVD | SECOND_ORDER)

FN real nan_at_rest(real a, real b, real theta)
{
    (void)theta;
    real near = max2(min2(a, b), REAL(0)) + min2(max2(a, b), REAL(0));
    real far = abs1(a) > abs1(b) ? a : b;
    return (REAL(2) * near) * (far / (far + near));
}
