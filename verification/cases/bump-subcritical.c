/* Subcritical flow over the bump: SWASHES 3.1.3. It starts from a pool at rest at the outlet's
 * level; the waves that the inflow sends out leave little by little, a third of them staying at
 * each round of 15 s.
 *
 * In f32 the level's rounding adds an error that grows with the number of steps: 5e-5 of the depth
 * on 200 cells, 2.4e-4 on 400 with Euler's small steps. Its limits allow for that. */
#define INFLOW      4.42 /* m2/s */
#define OUTLET      2    /* m */
#define DEPTH_AT(x) bump_subcritical(x, INFLOW, OUTLET)
#include "verification/references/bump_case.h"

static const struct check checks[] = {
    {.norm = &norm_l1_h, .n = 100, .most = 1e-4, .most_f32 = 1.5e-4, .why = MEASURED " of 5.9e-5"},
    {.norm = &norm_l1_q, .n = 100, .most = 1.5e-4, .why = MEASURED " of 6.9e-5"},
    {.norm = &norm_max_q, .n = 100, .most = 5e-3, .why = MEASURED " of 3.2e-3"},
    {.norm = &norm_l1_h, .n = 200, .most = 2.5e-5, .most_f32 = 1e-4, .why = MEASURED " of 1.45e-5"},
    {.norm = &norm_l1_q, .n = 200, .most = 3e-5, .most_f32 = 1e-4, .why = MEASURED " of 1.6e-5"},
    {.norm = &norm_max_q, .n = 200, .most = 2.5e-3, .why = MEASURED " of 1.6e-3"},
    {.norm = &norm_l1_h, .n = 400, .most = 7e-6, .most_f32 = 4e-4, .why = MEASURED " of 3.6e-6"},
    {.norm = &norm_l1_q, .n = 400, .most = 6e-6, .most_f32 = 4e-4, .why = MEASURED " of 3.7e-6"},
    {.norm = &norm_max_q, .n = 400, .most = 1.3e-3, .why = MEASURED " of 8.0e-4"},
    {.norm = &norm_l1_h, .n = 200, .f64_only = 1, .order = 1.9, .why = SECOND},
    {.norm = &norm_l1_q, .n = 200, .f64_only = 1, .order = 1.9, .why = SECOND},
    {.norm = &norm_max_q, .n = 200, .order = 0.9, .why = KINK},
    {0},
};

static const struct verification verify = {BUMP_RUNS, .ladder = {50, 100, 200, 400}};

const struct flow_case case_bump_subcritical = {
    FLOW_OVER_BUMP,
    .name = "bump-subcritical",
    .title = "subcritical flow over a bump",
    .cite = "Delestre et al. 2013 (SWASHES), section 3.1.3",
};
