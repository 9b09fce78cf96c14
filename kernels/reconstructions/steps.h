/* Each side of a face sees all of the other's water, above the other's bed: for a flux that handles the step
 * between the two beds itself. Bale, LeVeque, Mitran and Rossmanith 2002. A lake stays at rest; but over steps
 * as high as the water is deep the f-waves let small disturbances of it grow. With `audusse`, which works with
 * the same flux, they die out. */
#include "num/stepped.h"

#define BED_BELOW_SIDES 1

PROPERTIES("bed steps in the flux", "Bale, LeVeque, Mitran and Rossmanith 2002",
           SYMMETRIC | WELL_BALANCED | BED_STEP | CELL_BEDS)

/* The lower bed: neither side's bed is raised to it. */
FN real steps(struct side l, struct side r)
{
    return min2(l.b, r.b);
}
