/* Mistake: the width of the fan of waves divides, and is 0 between dry sides. */
#include "num/riemann.h"

PROPERTIES("HLL without a guard", "nobody", SYMMETRIC | POSITIVE)

FN struct flux nan_when_dry(struct side l, struct side r, real g)
{
    struct flux fl = physical_flux(l, g), fr = physical_flux(r, g), f;
    real cl = celerity(l.h, g), cr = celerity(r.h, g);
    real am = min2(min2(l.un - cl, r.un - cr), REAL(0));
    real ap = max2(max2(l.un + cl, r.un + cr), REAL(0));
    real skew = REAL(0.5) * ((ap + am) / (ap - am)), drag = (ap * am) / (ap - am);
    f.h = REAL(0.5) * (fl.h + fr.h) + (skew * (fl.h - fr.h) + drag * (r.h - l.h));
    f.n = REAL(0.5) * (fl.n + fr.n) + (skew * (fl.n - fr.n) + drag * (r.h * r.un - l.h * l.un));
    f.t = REAL(0.5) * (fl.t + fr.t) + (skew * (fl.t - fr.t) + drag * (r.h * r.ut - l.h * l.ut));
    return f;
}
