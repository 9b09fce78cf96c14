/* Mistake: the bed depends on how often it was asked. */
#include <math.h>

#include "verification/run/verify.h"

static double bed(double x, double y)
{
    static int calls;
    (void)x;
    (void)y;
    return 0.01 * (++calls % 7);
}

static struct flow initial(double x, double y)
{
    (void)y;
    return (struct flow){x < 5 ? 2 : 1, 0, 0};
}

extern const struct flow_case case_moving_bed;
const struct flow_case case_moving_bed = {
    .title = "a mistake",
    .cite = "nobody",
    .nx = 20,
    .ny = 20,
    .gravity = 9.81,
    .bed = bed,
    .initial = initial,
    .name = "moving-bed",
    .lx = 10,
    .ly = 10,
    .t_end = 1,
    .kappa = 0.001,
};
