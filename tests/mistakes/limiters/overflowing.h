/* Mistake: van Albada's formula as printed: its squares leave f32's range. */
#include "real.h"

PROPERTIES("van Albada as printed", "van Albada, van Leer and Roberts 1982", SYMMETRIC | TVD)

FN real overflowing(real a, real b, real theta)
{
    (void)theta;
    return a * b > REAL(0) ? a * b * (a + b) / (a * a + b * b) : REAL(0);
}
