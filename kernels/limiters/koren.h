/* The Koren limiter: the slope (a + 2b)/3, at most twice the one-sided differences. It ignores theta. Koren
 * 1993.
 *
 * With a the difference to the cell before and b to the one after, the value c + slope/2 at the higher face is
 * of third order: the best for waves that travel upwards along the axis. A cell has one slope here, so its
 * lower face gets c - slope/2, where Koren would take (2a + b)/3 for waves that travel downwards: that value is
 * of second order, and its error is twice that of the central difference. Shallow water has waves in both
 * directions. The slope leans to one side (it is not SYMMETRIC: a and b may not be exchanged), mirrored flows
 * differ, and a wall lets some water through. */
#include "real.h"

PROPERTIES("Koren", "Koren 1993", TVD | SECOND_ORDER)

FN real koren(real a, real b, real theta)
{
    (void)theta;
    real third = a + REAL(2.0 / 3) * (b - a); /* exact where a = b */
    real up = min2(min2(REAL(2) * a, REAL(2) * b), third);
    real down = max2(max2(REAL(2) * a, REAL(2) * b), third);
    return max2(up, REAL(0)) + min2(down, REAL(0));
}
