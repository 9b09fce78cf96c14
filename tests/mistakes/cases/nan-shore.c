/* Mistake: the root of a depth that is negative on dry ground. */
#include "mistaken.h"

static struct flow initial(double x, double y)
{
    (void)y;
    return (struct flow){2 - x, sqrt(2 - x), 0};
}

extern const struct flow_case case_nan_shore;
const struct flow_case case_nan_shore = {
    MISTAKEN,
    .bed = flat_bed,
    .name = "nan-shore",
    SQUARE,
    .t_end = 1,
    .kappa = 0.001,
};
