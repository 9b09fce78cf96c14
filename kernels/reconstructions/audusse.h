/* Hydrostatic reconstruction: across a step in the bed, a face sees a cell's water only as far as it stands
 * above the higher side, so that water at rest, also beside dry land above it, sees no step. Audusse, Bouchut,
 * Bristeau, Klein and Perthame 2004, eq. 2.13 and 2.14; the slopes: num/face.h. */
#include "num/stepped.h"

PROPERTIES("hydrostatic", "Audusse, Bouchut, Bristeau, Klein and Perthame 2004",
           SYMMETRIC | POSITIVE | WELL_BALANCED | CELL_BEDS)

/* The bed's level at the face between two sides. */
FN real audusse(struct side l, struct side r)
{
    return max2(l.b, r.b);
}
