/* Mistake: the exact solution is that of a deeper lake. */
#include "mistaken.h"

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
    MISTAKEN,
    .bed = flat_bed,
    .name = "late-start",
    SQUARE,
    .t_end = 1,
    .kappa = 0.001,
    .exact = exact,
};
