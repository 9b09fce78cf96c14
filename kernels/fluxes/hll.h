/* The HLL flux with two-rarefaction estimates of the wave speeds, and the speed of a front where one
 * side is dry. Harten, Lax and van Leer 1983; Fraccarollo and Toro 1995; Toro 2001, chapter 10. */
#include "num/riemann.h"

PROPERTIES("HLL", "Harten, Lax and van Leer 1983; Fraccarollo and Toro 1995", SYMMETRIC | POSITIVE)

/* With rarefactions to both sides the state between has the velocity u and the celerity c. Beside a
 * dry side the water's edge moves at its velocity plus or minus twice its celerity. */
FN struct flux hll(struct side l, struct side r, real g)
{
    real cl = celerity(l.h, g), cr = celerity(r.h, g);
    real u = REAL(0.5) * (l.un + r.un) + (cl - cr);
    real c = REAL(0.5) * (cl + cr) + REAL(0.25) * (l.un - r.un);
    real sl = min2(l.un - cl, u - c), sr = max2(r.un + cr, u + c);
    const int dry_l = l.h <= REAL(0), dry_r = r.h <= REAL(0);
    sl = dry_l ? r.un - REAL(2) * cr : dry_r ? l.un - cl : sl;
    sr = dry_r ? l.un + REAL(2) * cl : dry_l ? r.un + cr : sr;
    return two_waves(l, r, min2(sl, REAL(0)), max2(sr, REAL(0)), g);
}
