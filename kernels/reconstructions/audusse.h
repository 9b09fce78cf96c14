/* Hydrostatic reconstruction: the water of a cell is seen across a step in the bed as far as it stands
 * above the higher side, so that water at rest, also beside dry land above it, sees none. Audusse,
 * Bouchut, Bristeau, Klein and Perthame 2004, eq. 2.13 and 2.14. */
#include "num/riemann.h"

#define STEPPED_BED 1

PROPERTIES("hydrostatic", "Audusse, Bouchut, Bristeau, Klein and Perthame 2004",
           SYMMETRIC | POSITIVE | WELL_BALANCED)

/* The depth that side s shows to side `other`. */
FN real audusse(struct side s, struct side other)
{
    return max2(s.w - max2(s.b, other.b), REAL(0));
}
