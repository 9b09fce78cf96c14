/* Mistake: a bare 0.5 is double precision in an f32 kernel. */
#include "real.h"

PROPERTIES("mean of minmod", "nobody", SYMMETRIC)

FN real bare_literal(real a, real b, real theta)
{
    (void)theta;
    return 0.5 * (max2(min2(a, b), REAL(0)) + min2(max2(a, b), REAL(0)));
}
