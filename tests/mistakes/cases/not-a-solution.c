/* Mistake: the exact solution takes the wrong sign for the slope of the level. */
#include <math.h>

#include "verification/run/verify.h"

/* A wave that runs east would have u = +0.001 * ..., to first order. */
static struct flow exact(double x, double y, double t)
{
    (void)y;
    const double a = 0.01 * sin(x - 3 * t);
    return (struct flow){1 + a, -3 * a, 0};
}

static struct flow initial(double x, double y)
{
    return exact(x, y, 0);
}

extern const struct flow_case case_not_a_solution;
const struct flow_case case_not_a_solution = {
    .title = "a mistake",
    .cite = "nobody",
    .nx = 20,
    .ny = 20,
    .gravity = 9.81,
    .bed = flat_bed,
    .initial = initial,
    .name = "not-a-solution",
    .lx = 10,
    .ly = 10,
    .t_end = 1,
    .kappa = 0.001,
    .exact = exact,
};
