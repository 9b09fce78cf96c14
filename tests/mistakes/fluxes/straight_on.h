/* Mistake: the tangential momentum is forgotten. */
#include "num/riemann.h"

PROPERTIES("central-upwind without v", "nobody", SYMMETRIC | POSITIVE)

FN struct flux straight_on(struct side l, struct side r, real g)
{
    real cl = celerity(l.h, g), cr = celerity(r.h, g);
    real ap = max2(max2(l.un + cl, r.un + cr), REAL(0));
    real am = min2(min2(l.un - cl, r.un - cr), REAL(0));
    struct flux f = two_waves(l, r, am, ap, g);
    f.t = REAL(0);
    return f;
}
