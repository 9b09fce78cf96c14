/* The van Leer limiter: the harmonic mean 2ab/(a+b) of differences of the same sign. It ignores theta. van Leer
 * 1974; as a slope, van Leer 1977. */
#include "real.h"

PROPERTIES("van Leer", "van Leer 1974", SYMMETRIC | TVD | SECOND_ORDER)

/* The product ab leaves f32's range where a and b are still harmless, so this writes the mean as twice the one
 * nearer to zero times the other's share in the sum. */
FN real van_leer(real a, real b, real theta)
{
    (void)theta;
    real near = max2(min2(a, b), REAL(0)) + min2(max2(a, b), REAL(0));
    real far = abs1(a) > abs1(b) ? a : b;
    real share = far / (a + b);
    return near == REAL(0) ? REAL(0) : (REAL(2) * near) * share;
}
