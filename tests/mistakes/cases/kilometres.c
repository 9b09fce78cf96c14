/* Mistake: lengths in kilometres, all else in metres and seconds. */
#include "mistaken.h"

static struct flow initial(double x, double y)
{
    (void)y;
    return (struct flow){x < 0.0005 ? 20 : 10, 0, 0};
}

extern const struct flow_case case_kilometres;
const struct flow_case case_kilometres = {
    MISTAKEN,
    .bed = flat_bed,
    .name = "kilometres",
    .lx = 0.001,
    .ly = 0.001,
    .t_end = 3600,
    .kappa = 0.001,
};
