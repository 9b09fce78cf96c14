/* Mistake: weights of the two sides that do not add up to 1. */
#include "num/riemann.h"

PROPERTIES("Rusanov with wrong weights", "nobody", 0)

FN struct flux lopsided(struct side l, struct side r, real g)
{
    struct flux fl = physical_flux(l, g), fr = physical_flux(r, g), f;
    real s = max2(abs1(l.un) + celerity(l.h, g), abs1(r.un) + celerity(r.h, g));
    real half = REAL(0.5) * s;
    f.h = REAL(0.5) * fl.h + fr.h - half * (r.h - l.h);
    f.n = REAL(0.5) * (fl.n + fr.n) - half * (r.h * r.un - l.h * l.un);
    f.t = REAL(0.5) * (fl.t + fr.t) - half * (r.h * r.ut - l.h * l.ut);
    return f;
}
