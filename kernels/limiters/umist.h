/* The UMIST limiter: the less steep of the quadratic upstream face value (a + 3b)/4 and its mirror image (3a +
 * b)/4, at most twice the one-sided differences. It ignores theta. Lien and Leschziner 1994. */
#include "real.h"

PROPERTIES("UMIST", "Lien and Leschziner 1994", SYMMETRIC | TVD | SECOND_ORDER)

/* For differences of the same sign, the less steep weighted mean is the one nearer to zero plus a quarter of
 * the way to the other: exact where they are equal. */
FN real umist(real a, real b, real theta)
{
    (void)theta;
    real least = min2(a, b), most = max2(a, b), way = REAL(0.25) * (most - least);
    real up = min2(REAL(2) * least, least + way), down = max2(REAL(2) * most, most - way);
    return max2(up, REAL(0)) + min2(down, REAL(0));
}
