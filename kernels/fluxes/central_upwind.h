/* The central-upwind flux: two waves at the largest one-sided speeds of both states.
 * Kurganov, Noelle and Petrova 2001; Kurganov and Petrova 2007, eq. 2.13 to 2.16. */
#include "num/riemann.h"

#define PRESSURE_OUT 1

PROPERTIES("central-upwind", "Kurganov, Noelle and Petrova 2001", SYMMETRIC | POSITIVE)

FN struct flux central_upwind(struct side l, struct side r, real g)
{
    real cl = celerity(l.h, g), cr = celerity(r.h, g);
    const real zero = unfolded_zero(g);
    real ap = max2(max2(l.un + cl, r.un + cr), zero);
    real am = min2(min2(l.un - cl, r.un - cr), zero);
    return two_waves_less_pressure(l, r, am, ap, g);
}
