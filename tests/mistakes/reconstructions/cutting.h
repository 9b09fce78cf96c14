/* Mistake: the surface may cut the bed, and POSITIVE is declared. */
#include "real.h"

PROPERTIES("no correction", "nobody", SYMMETRIC | POSITIVE)

FN real cutting(real d, real low, real high)
{
    (void)low;
    (void)high;
    return d;
}
