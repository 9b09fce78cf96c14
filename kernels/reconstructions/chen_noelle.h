/* Hydrostatic reconstruction with subcells: like Audusse's, but where the bed of one side rises out of the
 * water of the other, the bed at the face lies at that water's level. Water at rest behaves as before; water
 * above such a step is pulled down it, and shallow water on a steep slope does not stall. Chen and Noelle 2017. */
#include "num/stepped.h"

#define BED_BELOW_SIDES 1

PROPERTIES("hydrostatic with subcells", "Chen and Noelle 2017",
           SYMMETRIC | POSITIVE | WELL_BALANCED | CELL_BEDS)

/* The bed's level at the face between two sides. */
FN real chen_noelle(struct side l, struct side r)
{
    return min2(max2(l.b, r.b), min2(l.w, r.w));
}
