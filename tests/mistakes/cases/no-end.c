/* Mistake: no end time. */
#include <math.h>

#include "verification/run/verify.h"

static struct flow initial(double x, double y)
{
    (void)y;
    return (struct flow){x < 5 ? 2 : 1, 0, 0};
}

extern const struct flow_case case_no_end;
const struct flow_case case_no_end = {
    .title = "a mistake",
    .cite = "nobody",
    .nx = 20,
    .ny = 20,
    .gravity = 9.81,
    .bed = flat_bed,
    .initial = initial,
    .name = "no-end",
    .lx = 10,
    .ly = 10,
    .kappa = 0.001,
};
