/* Mistake: the bed depends on how often it was asked. */
#include "mistaken.h"

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
    MISTAKEN,
    .bed = bed,
    .name = "moving-bed",
    SQUARE,
    .t_end = 1,
    .kappa = 0.001,
};
