/* Mistake: water beside the rectangle that the case says has all of it. */
#include "mistaken.h"

static struct flow initial(double x, double y)
{
    return (struct flow){.w = (x - 5) * (x - 5) + (y - 5) * (y - 5) < 4 ? 1 : 0};
}

extern const struct flow_case case_second_pond;
const struct flow_case case_second_pond = {
    MISTAKEN,   .bed = flat_bed, .name = "second-pond", SQUARE,
    .t_end = 1, .kappa = 0.001,  .wet = {3, 5, 3, 7},
};
