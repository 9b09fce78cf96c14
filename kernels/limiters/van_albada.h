/* The van Albada limiter: ab(a+b)/(a^2+b^2) for differences of the same sign, a smooth function of both;
 * without the original's small constant, so that it has no unit. It ignores theta. van Albada, van Leer and
 * Roberts 1982. */
#include "real.h"

PROPERTIES("van Albada", "van Albada, van Leer and Roberts 1982", SYMMETRIC | TVD | SECOND_ORDER)

/* The squares leave f32's range where a and b are still harmless, so this uses the ratio of the one nearer to
 * zero to the other. */
FN real van_albada(real a, real b, real theta)
{
    (void)theta;
    real near = max2(min2(a, b), REAL(0)) + min2(max2(a, b), REAL(0));
    real far = abs1(a) > abs1(b) ? a : b;
    real r = near / far;
    return near == REAL(0) ? REAL(0) : near * ((REAL(1) + r) / (REAL(1) + r * r));
}
