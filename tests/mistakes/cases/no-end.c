/* Mistake: no end time. */
#include "mistaken.h"

static struct flow initial(double x, double y)
{
    (void)y;
    return (struct flow){x < 5 ? 2 : 1, 0, 0};
}

extern const struct flow_case case_no_end;
const struct flow_case case_no_end = {
    MISTAKEN,
    .bed = flat_bed,
    .name = "no-end",
    SQUARE,
    .kappa = 0.001,
};
