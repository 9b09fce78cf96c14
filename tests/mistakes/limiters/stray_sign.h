/* Mistake: a stray minus before the result of minmod. */
#include "real.h"

PROPERTIES("minmod with a stray sign", "nobody", SYMMETRIC | TVD | SECOND_ORDER)

FN real stray_sign(real a, real b, real theta)
{
    (void)theta;
    return -(max2(min2(a, b), REAL(0)) + min2(max2(a, b), REAL(0)));
}
