/* The HLL flux with two-rarefaction estimates of the wave speeds, and the speed of a front where one
 * side is dry. Harten, Lax and van Leer 1983; Fraccarollo and Toro 1995; Toro 2001, chapter 10. */
#include "num/riemann.h"

#define PRESSURE_OUT 1

PROPERTIES("HLL", "Harten, Lax and van Leer 1983; Fraccarollo and Toro 1995", SYMMETRIC | POSITIVE)

FN struct flux hll(struct side l, struct side r, real g)
{
    const struct waves s = two_rarefactions(l, r, g);
    return two_waves_less_pressure(l, r, s.am, s.ap, g);
}
