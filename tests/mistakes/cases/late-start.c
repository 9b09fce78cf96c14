/* Mistake: the exact solution is that of a deeper lake. */
#include <math.h>

#include "verification/run/verify.h"

static struct flow exact(double x, double y, double t)
{
    (void)x;
    (void)y;
    (void)t;
    return (struct flow){1.1, 0, 0};
}

static struct flow initial(double x, double y)
{
    (void)x;
    (void)y;
    return (struct flow){1, 0, 0};
}

extern const struct flow_case case_late_start;
const struct flow_case case_late_start = {
    .title = "a mistake",
    .cite = "nobody",
    .nx = 20,
    .ny = 20,
    .gravity = 9.81,
    .bed = flat_bed,
    .initial = initial,
    .name = "late-start",
    .lx = 10,
    .ly = 10,
    .t_end = 1,
    .kappa = 0.001,
    .exact = exact,
};
