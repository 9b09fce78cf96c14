/* Mistake: dry points have the lake's level everywhere, also beyond the bank, and a velocity. */
#include "mistaken.h"

static double bed(double x, double y)
{
    (void)y;
    return x < 5 ? 0 : 2;
}

static struct flow initial(double x, double y)
{
    (void)x;
    (void)y;
    return (struct flow){1, 0.5, 0};
}

extern const struct flow_case case_flooded_bank;
const struct flow_case case_flooded_bank = {
    MISTAKEN,
    .bed = bed,
    .name = "flooded-bank",
    SQUARE,
    .t_end = 1,
    .kappa = 0.001,
};
