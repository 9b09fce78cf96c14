/* The HLLC flux: that of HLL (hll.h), with the third wave that HLL leaves out, across which only the
 * tangential velocity jumps. Toro, Spruce and Speares 1994; for shallow water Fraccarollo and Toro
 * 1995; Toro 2001, chapter 10. */
#include "num/riemann.h"

#define PRESSURE_OUT 1

PROPERTIES("HLLC", "Toro, Spruce and Speares 1994; Toro 2001", SYMMETRIC | POSITIVE)

/* Conservation of mass across the outer waves gives the depth h and the mass flux h u of the water between
 * them; the third wave moves at u. The tangential velocity at the face is therefore that of the side from which
 * the mass comes, and a shear layer in water at rest stays unchanged to the bit. */
FN struct flux hllc(struct side l, struct side r, real g)
{
    const struct waves s = two_rarefactions(l, r, g);
    struct flux f = two_waves_less_pressure(l, r, s.am, s.ap, g);
    f.t = f.h * (f.h > REAL(0) ? l.ut : r.ut);
    return f;
}
