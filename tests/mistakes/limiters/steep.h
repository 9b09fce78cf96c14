/* Mistake: the central difference without a bound, declared TVD. */
#include "real.h"

PROPERTIES("central difference", "nobody", SYMMETRIC | TVD | SECOND_ORDER)

FN real steep(real a, real b, real theta)
{
    (void)theta;
    return (a > REAL(0)) == (b > REAL(0)) && a != REAL(0) && b != REAL(0) ? REAL(0.5) * (a + b)
                                                                          : REAL(0);
}
