/* Circular dam break that floods a dry square of 100 m: thesis 4.5, eq. 4.1 (complete auto-tuning). */
#define LINE    .radial = 1, .length = 90, .dam = 6.5, .behind = 10, .t_end = 2
#define SECTION "4.5"
#define CELLS   4000
#define TIMES   2
#include "verification/references/dam_case.h"

static const char measured[] =
    "1.3 to 1.5 times what an independent f64 code reached with this scheme";

static const char conserved[] = CONSERVED "a cell and a half for its place";

static const struct check checks[] = {
    {&norm_excess_h, .at = 1, .n = 100, .most = 0.086, .why = measured},
    {&norm_l1_q, .at = 1, .n = 100, .most = 0.13, .why = measured},
    {&norm_excess_h, .at = 1, .n = 200, .most = 0.048, .why = measured},
    {&norm_l1_q, .at = 1, .n = 200, .most = 0.066, .why = measured},
    {&norm_excess_h, .at = 2, .n = 100, .most = 0.115, .why = measured},
    {&norm_l1_q, .at = 2, .n = 100, .most = 0.13, .why = measured},
    {&norm_excess_h, .at = 2, .n = 200, .most = 0.056, .why = measured},
    {&norm_l1_q, .at = 2, .n = 200, .most = 0.066, .why = measured},
    {&norm_excess_h, .at = 2, .n = 200, .order = 0.75, .why = KINKS},
    {&norm_l1_q, .at = 2, .n = 200, .order = 0.75, .why = KINKS},
    {&norm_front, .at = 2, .n = 100, .most = 1.5, .first = 1.5, .theory = 1, .why = conserved},
    {&norm_front, .at = 2, .n = 200, .most = 1.5, .first = 1.5, .theory = 1, .why = conserved},
    {0},
};

static const struct verification verify = {
    DAM_BREAK_RUNS, .ladder = {100, 200, 400, 500}, .quick = 1, .usual = 2,
    .t_end = 2, /* soon after, the front meets the walls */
    .scatter = 1,
};

const struct flow_case case_circular_dam_100 = {
    CIRCULAR_DAM(100),
    DAM_WET(6.5),
    .name = "circular-dam-100",
    .title = "circular dam break that floods a dry square of 100 m",
    .t_end = 4,
};
