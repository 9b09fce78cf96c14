/* No limiter: the slope is zero everywhere, which makes the scheme of first order. Godunov 1959. */
#include "real.h"

PROPERTIES("none (first order)", "Godunov 1959", SYMMETRIC | TVD)

FN real none(real a, real b, real theta)
{
    (void)a;
    (void)b;
    (void)theta;
    return REAL(0);
}
