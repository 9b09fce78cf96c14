/* Mistake: no kappa is stated, and its shore is a cliff, of which the rule makes a kappa of metres. */
#include "mistaken.h"

static double bed(double x, double y)
{
    (void)y;
    return x < 5 ? 0 : 50;
}

static struct flow initial(double x, double y)
{
    (void)y;
    return (struct flow){x < 5 ? 2 : 1, 0, 0};
}

extern const struct flow_case case_cliff;
const struct flow_case case_cliff = {
    MISTAKEN,
    .bed = bed,
    .name = "cliff",
    SQUARE,
    .t_end = 1,
};
