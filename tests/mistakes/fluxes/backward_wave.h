/* Mistake: u - c for u + c in the wave to the right of the right side. */
#include "num/riemann.h"

PROPERTIES("central-upwind with a stray sign", "nobody", SYMMETRIC)

FN struct flux backward_wave(struct side l, struct side r, real g)
{
    real cl = celerity(l.h, g), cr = celerity(r.h, g);
    real ap = max2(max2(l.un + cl, r.un - cr), REAL(0));
    real am = min2(min2(l.un - cl, r.un - cr), REAL(0));
    return two_waves(l, r, am, ap, g);
}
