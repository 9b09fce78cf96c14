/* Mistake: a minus for a plus in the central difference of the monotonised central limiter. */
#include "real.h"

PROPERTIES("MC with a stray sign inside", "nobody", TVD | SECOND_ORDER)

FN real minus_inside(real a, real b, real theta)
{
    (void)theta;
    real c = REAL(0.5) * (a - b);
    real up = min2(min2(REAL(2) * a, REAL(2) * b), c), down = max2(max2(REAL(2) * a, REAL(2) * b), c);
    return max2(up, REAL(0)) + min2(down, REAL(0));
}
