/* Mistake: half the damping that positivity needs, and POSITIVE declared. */
#include "num/riemann.h"

PROPERTIES("Rusanov with half the damping", "nobody", SYMMETRIC | POSITIVE)

FN struct flux emptying(struct side l, struct side r, real g)
{
    struct flux fl = physical_flux(l, g), fr = physical_flux(r, g), f;
    real s = max2(abs1(l.un) + celerity(l.h, g), abs1(r.un) + celerity(r.h, g));
    real half = REAL(0.25) * s;
    f.h = REAL(0.5) * (fl.h + fr.h) - half * (r.h - l.h);
    f.n = REAL(0.5) * (fl.n + fr.n) - half * (r.h * r.un - l.h * l.un);
    f.t = REAL(0.5) * (fl.t + fr.t) - half * (r.h * r.ut - l.h * l.ut);
    return f;
}
