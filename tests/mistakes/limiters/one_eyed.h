/* Mistake: both differences meant, one named. */
#include "real.h"

PROPERTIES("minmod of a and a", "nobody", SECOND_ORDER)

FN real one_eyed(real a, real b, real theta)
{
    (void)theta;
    return (a > REAL(0)) == (b > REAL(0)) && b != REAL(0) ? a : REAL(0);
}
