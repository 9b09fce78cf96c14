/* Mistake: lengths in kilometres, all else in metres and seconds. */
#include <math.h>

#include "verification/run/verify.h"

static struct flow initial(double x, double y)
{
    (void)y;
    return (struct flow){x < 0.0005 ? 20 : 10, 0, 0};
}

extern const struct flow_case case_kilometres;
const struct flow_case case_kilometres = {
    .title = "a mistake",
    .cite = "nobody",
    .nx = 20,
    .ny = 20,
    .gravity = 9.81,
    .bed = flat_bed,
    .initial = initial,
    .name = "kilometres",
    .lx = 0.001,
    .ly = 0.001,
    .t_end = 3600,
    .kappa = 0.001,
};
