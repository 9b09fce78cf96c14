/* Mistake: the root of a depth that is negative on dry ground. */
#include <math.h>

#include "verification/run/verify.h"

static struct flow initial(double x, double y)
{
    (void)y;
    return (struct flow){2 - x, sqrt(2 - x), 0};
}

extern const struct flow_case case_nan_shore;
const struct flow_case case_nan_shore = {
    .title = "a mistake",
    .cite = "nobody",
    .nx = 20,
    .ny = 20,
    .gravity = 9.81,
    .bed = flat_bed,
    .initial = initial,
    .name = "nan-shore",
    .lx = 10,
    .ly = 10,
    .t_end = 1,
    .kappa = 0.001,
};
