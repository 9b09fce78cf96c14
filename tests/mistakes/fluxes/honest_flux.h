/* No mistake: HLL with the simplest wave speeds. Davis 1988. */
#include "num/riemann.h"

PROPERTIES("HLL with Davis's speeds", "Davis 1988", SYMMETRIC | POSITIVE)

FN struct flux honest_flux(struct side l, struct side r, real g)
{
    real cl = celerity(l.h, g), cr = celerity(r.h, g);
    real am = min2(l.un - cl, r.un - cr), ap = max2(l.un + cl, r.un + cr);
    return two_waves(l, r, min2(am, REAL(0)), max2(ap, REAL(0)), g);
}
