/* Mistake: the exact solution takes the wrong sign for the slope of the level. */
#include "mistaken.h"

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
    MISTAKEN,
    .bed = flat_bed,
    .name = "not-a-solution",
    SQUARE,
    .t_end = 1,
    .kappa = 0.001,
    .exact = exact,
};
