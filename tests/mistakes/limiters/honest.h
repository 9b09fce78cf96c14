/* No mistake: ospre, 3ab(a+b) / 2(a^2+ab+b^2) for differences of the same sign. Waterson and Deconinck
 * 1995. */
#include "real.h"

PROPERTIES("ospre", "Waterson and Deconinck 1995", SYMMETRIC | TVD | SECOND_ORDER)

FN real honest(real a, real b, real theta)
{
    (void)theta;
    real near = max2(min2(a, b), REAL(0)) + min2(max2(a, b), REAL(0));
    real far = abs1(a) > abs1(b) ? a : b;
    real r = near / far, s = REAL(1) + r;
    return near == REAL(0) ? REAL(0) : near * (REAL(1.5) * s / (s + r * r));
}
