/* Flow that turns supercritical down a short channel with Manning's friction and returns in a
 * hydraulic jump: SWASHES 3.2.2. It starts from a pool at rest at the outlet's level. */
#define CHANNEL macdonald_jump
#include "verification/references/macdonald_case.h"

#define OUTLET 2.878707967283852 /* m */

static struct flow initial(double x, double y)
{
    (void)x;
    (void)y;
    return (struct flow){.w = OUTLET};
}

static const char balance[] = "O(dx): the scheme does not balance moving water";

static const struct check checks[] = {
    {.norm = &norm_l1_h, .n = 100, .most = 1.5e-3, .why = MEASURED " of 8.5e-4"},
    {.norm = &norm_l1_q, .n = 100, .most = 2.5e-3, .why = "1.6 times what rk2 reaches"},
    {.norm = &norm_offset, .n = 100, .most = 1, .theory = 1, .why = ONE_CELL},
    {.norm = &norm_spared, .n = 100, .most = 1.2e-3, .why = ALONE},
    {.norm = &norm_spared, .n = 200, .order = 0.9, .why = balance},
    {.norm = &norm_l1_h, .n = 200, .order = 0.9, .why = JUMPS},
    {0},
};

static const struct verification verify = {
    .checks = checks,
    .ladder = {100, 200, 400},
    .quick = 1,
    .usual = 2,
    .snapshots = 40,
    .steady = 1e-7,
};

const struct flow_case case_macdonald_jump = {
    IN_CHANNEL,
    .name = "macdonald-jump",
    .title = "flow with friction and a hydraulic jump in a channel made for it",
    .cite = "MacDonald et al. 1997; Delestre et al. 2013 (SWASHES), section 3.2.2",
    .lx = 100,
    .ly = 1,
    .t_end = 600,
    .manning = 0.0328,
    .boundary = {DISCHARGE, DEPTH, WALL, WALL},
    .edge = {[WEST] = {.hu = 2}, [EAST] = {.h = OUTLET}},
    .initial = initial,
};
