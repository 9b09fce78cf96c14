/* Mistake: a stray sign before the pressure. */
#include "num/riemann.h"

PROPERTIES("Rusanov with a stray sign", "nobody", SYMMETRIC)

FN real minus_pressure_n(struct side s, real g)
{
    return s.h * s.un * s.un - pressure(s.h, g);
}

FN struct flux minus_pressure(struct side l, struct side r, real g)
{
    real s = max2(abs1(l.un) + celerity(l.h, g), abs1(r.un) + celerity(r.h, g));
    real half = REAL(0.5) * s;
    struct flux f;
    f.h = REAL(0.5) * (l.h * l.un + r.h * r.un) - half * (r.h - l.h);
    f.n = REAL(0.5) * (minus_pressure_n(l, g) + minus_pressure_n(r, g)) -
          half * (r.h * r.un - l.h * l.un);
    f.t = REAL(0.5) * (l.h * l.un * l.ut + r.h * r.un * r.ut) - half * (r.h * r.ut - l.h * l.ut);
    return f;
}
