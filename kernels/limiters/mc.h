/* The monotonised central limiter: the least steep of twice the one-sided differences and the central one. van
 * Leer 1977. It equals generalised minmod at theta 2, and ignores theta. */
#include "real.h"

PROPERTIES("monotonised central", "van Leer 1977", SYMMETRIC | TVD | SECOND_ORDER)

FN real mc(real a, real b, real theta)
{
    (void)theta;
    real c = REAL(0.5) * (a + b);
    a = REAL(2) * a;
    b = REAL(2) * b;
    real up = min2(min2(a, b), c), down = max2(max2(a, b), c);
    return max2(up, REAL(0)) + min2(down, REAL(0));
}
