/* Mistake: a constant against division by zero, which is a length. */
#include "real.h"

PROPERTIES("van Leer with a constant", "nobody", SYMMETRIC)

FN real with_unit(real a, real b, real theta)
{
    (void)theta;
    real near = max2(min2(a, b), REAL(0)) + min2(max2(a, b), REAL(0));
    real far = max2(max2(abs1(a), abs1(b)), REAL(1e-30));
    return near * (far / (far + abs1(near) + REAL(1e-6)));
}
