/* Flow over the bump that is critical on the crest and returns to the outlet's depth in a hydraulic
 * jump: SWASHES 3.1.5. It starts from a pool at rest at the outlet's level.
 *
 * In the cell that holds the jump the scheme's discharge is wrong by 9 to 23 %, on any grid; and as
 * the jump lies elsewhere in its cell on each grid, the errors fall unevenly. So the order is asked
 * for between the coarsest and the finest grid, and the largest error outside the jump's
 * neighbourhood. */
#define INFLOW      0.18 /* m2/s */
#define OUTLET      0.33 /* m */
#define DEPTH_AT(x) bump_with_jump(x, INFLOW, OUTLET)
#include "verification/references/bump_case.h"
#include "verification/references/jump.h"

static double offset(const struct snapshot *s)
{
    const struct bump_jump jump = bump_jump(INFLOW, OUTLET);
    return jump_offset(s, jump.x, (jump.before + jump.after) / 2);
}

static double spared(const struct snapshot *s)
{
    return jump_spared(s, bump_jump(INFLOW, OUTLET).x);
}

static const struct norm norm_offset = {JUMP_OFFSET_NORM, offset};
static const struct norm norm_spared = {JUMP_SPARED_NORM, spared};

static const char times[] = "2.6 times an independent KP07's 3.8e-5";
static const char kinks[] = "O(dx) in the kinks";

static const struct check checks[] = {
    {.norm = &norm_l1_h, .n = 100, .most = 3e-3, .why = MEASURED " of 1.8e-3"},
    {.norm = &norm_l1_q, .n = 100, .most = 5e-3, .why = MEASURED " of 2.8e-3"},
    {.norm = &norm_spared, .n = 100, .most = 9e-3, .why = MEASURED " of 6.0e-3"},
    {.norm = &norm_offset, .n = 100, .most = 1, .theory = 1, .why = ONE_CELL},
    {.norm = &norm_l1_h, .n = 400, .most = 4e-4, .why = MEASURED " of 2.1e-4"},
    {.norm = &norm_l1_q, .n = 400, .most = 1.3e-3, .why = MEASURED " of 6.6e-4"},
    {.norm = &norm_spared, .n = 400, .most = 3e-3, .why = MEASURED " of 1.8e-3"},
    {.norm = &norm_offset, .n = 400, .most = 1, .theory = 1, .why = ONE_CELL},
    {.norm = &norm_l1_h, .n = 800, .most = 1e-4, .most_f32 = 3e-4, .why = times},
    {.norm = &norm_l1_q, .n = 800, .most = 3e-4, .most_f32 = 1.3e-3, .why = MEASURED " of 1.5e-4"},
    {.norm = &norm_spared, .n = 800, .most = 1.6e-3, .why = MEASURED " of 8.6e-4"},
    {.norm = &norm_offset, .n = 800, .most = 1, .theory = 1, .why = ONE_CELL},
    {.norm = &norm_l1_h, .n = 400, .from = 100, .order = 0.9, .why = JUMPS},
    {.norm = &norm_l1_q, .n = 400, .from = 100, .f64_only = 1, .order = 0.9, .why = JUMPS},
    {.norm = &norm_spared, .n = 400, .from = 100, .f64_only = 1, .order = 0.8, .why = kinks},
    {0},
};

static const struct verification verify = {BUMP_RUNS, .ladder = {50, 100, 400, 800}};

const struct flow_case case_bump_shock = {
    FLOW_OVER_BUMP,
    .name = "bump-shock",
    .title = "flow over a bump with a hydraulic jump behind its crest",
    .cite = "Delestre et al. 2013 (SWASHES), section 3.1.5",
};
