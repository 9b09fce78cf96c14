/* Flow over the bump that is critical on the crest and leaves supercritical: SWASHES 3.1.4. It
 * starts from a pool at rest at the level that the outlet holds until the flow there is
 * supercritical.
 *
 * In f32 the level's rounding adds an error that grows with the number of steps: 2e-4 of the
 * discharge on 400 cells with Euler's small steps. Its limits allow for that. */
#define INFLOW      1.53 /* m2/s */
#define OUTLET      0.66 /* m */
#define DEPTH_AT(x) bump_transcritical(x, INFLOW)
#include "verification/references/bump_case.h"

static const struct check checks[] = {
    {.norm = &norm_l1_h, .n = 100, .most = 2.6e-3, .why = MEASURED " of 1.74e-3"},
    {.norm = &norm_l1_q, .n = 100, .most = 1.5e-4, .most_f32 = 2e-4, .why = MEASURED " of 7.0e-5"},
    {.norm = &norm_max_q, .n = 100, .most = 9e-3, .why = MEASURED " of 6.1e-3"},
    {.norm = &norm_l1_h, .n = 200, .most = 7e-4, .why = MEASURED " of 4.6e-4"},
    {.norm = &norm_l1_q, .n = 200, .most = 3e-5, .most_f32 = 2.5e-4, .why = MEASURED " of 1.7e-5"},
    {.norm = &norm_max_q, .n = 200, .most = 5e-3, .why = MEASURED " of 3.0e-3"},
    {.norm = &norm_l1_h, .n = 400, .most = 2e-4, .most_f32 = 4e-4, .why = MEASURED " of 1.18e-4"},
    {.norm = &norm_l1_q, .n = 400, .most = 8e-6, .most_f32 = 4e-4, .why = MEASURED " of 4.3e-6"},
    {.norm = &norm_max_q, .n = 400, .most = 2.6e-3, .why = MEASURED " of 1.5e-3"},
    {.norm = &norm_l1_h, .n = 200, .order = 1.8, .why = "1.9 by an independent KP07, less 0.1"},
    {.norm = &norm_l1_q, .n = 200, .f64_only = 1, .order = 1.9, .why = SECOND},
    {.norm = &norm_max_q, .n = 200, .order = 0.9, .why = KINK},
    {0},
};

static const struct verification verify = {BUMP_RUNS, .ladder = {50, 100, 200, 400}};

const struct flow_case case_bump_transcritical = {
    FLOW_OVER_BUMP,
    .name = "bump-transcritical",
    .title = "flow over a bump, critical on its crest",
    .cite = "Delestre et al. 2013 (SWASHES), section 3.1.4",
};
