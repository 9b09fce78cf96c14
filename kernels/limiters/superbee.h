/* The superbee limiter, the upper edge of Sweby's region: the steeper of minmod(2a, b) and minmod(a, 2b). It
 * ignores theta. Roe 1986. */
#include "real.h"

PROPERTIES("superbee", "Roe 1986", SYMMETRIC | TVD | SECOND_ORDER)

FN real superbee(real a, real b, real theta)
{
    (void)theta;
    real a2 = REAL(2) * a, b2 = REAL(2) * b;
    real up = max2(min2(a2, b), min2(a, b2)), down = min2(max2(a2, b), max2(a, b2));
    return max2(up, REAL(0)) + min2(down, REAL(0));
}
