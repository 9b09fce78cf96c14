/* The generalised minmod limiter: the least steep of theta times the two one-sided differences and
 * the central one. theta from 1 (most diffusive) to 2 (least). Kurganov and Petrova 2007, eq. 2.11;
 * paper III, eq. 4. */
#include "real.h"

PROPERTIES("generalised minmod", "Kurganov and Tadmor 2000", SYMMETRIC | TVD | SECOND_ORDER)

FN real minmod(real a, real b, real theta)
{
    real c = REAL(0.5) * (a + b);
    a = theta * a;
    b = theta * b;
    real up = min2(min2(a, b), c), down = max2(max2(a, b), c);
    return max2(up, REAL(0)) + min2(down, REAL(0));
}
