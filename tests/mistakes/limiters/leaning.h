/* Mistake: Koren's limiter leans to one side, and it declares SYMMETRIC. */
#include "real.h"

PROPERTIES("Koren, declared symmetric", "Koren 1993", SYMMETRIC | TVD | SECOND_ORDER)

FN real leaning(real a, real b, real theta)
{
    (void)theta;
    real third = a + REAL(2.0 / 3) * (b - a);
    real up = min2(min2(REAL(2) * a, REAL(2) * b), third);
    real down = max2(max2(REAL(2) * a, REAL(2) * b), third);
    return max2(up, REAL(0)) + min2(down, REAL(0));
}
