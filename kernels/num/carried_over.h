/* Copies a level to a cell over different ground. */
#ifndef SHOAL_CARRIED_OVER_H
#define SHOAL_CARRIED_OVER_H

#include "num/depth.h"

/* eta of a cell over ground of level `bed` whose surface lies as high as that of a cell with `eta` over ground
 * of level `from`, but not below the bed. */
FN real carried_over(real eta, real from, real bed, real still)
{
    const real rest = at_rest(bed, still);
    return max2(eta + (at_rest(from, still) - rest), bed - rest);
}

#endif
