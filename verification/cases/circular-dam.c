/* Circular dam break onto wet ground: thesis 3.1.2, eq. 3.5 (the comparison of its schemes). */
#define LINE    .radial = 1, .length = 12, .dam = 2.5, .behind = 2.5, .before = 0.5, .t_end = 2
#define SECTION "3.1.2"
#define CELLS   3000
#define TIMES   4
#include "verification/references/dam_case.h"

static const char measured[] =
    "1.3 to 1.5 times what an independent f64 code reached with this scheme";

static const char shock[] = "first order behind a shock; an independent code: 0.93 to 1.0";
static const char conserved[] = CONSERVED "a cell for its place in one";

static const struct check checks[] = {
    {&norm_excess_h, .at = 1, .n = 100, .most = 0.15, .why = measured},
    {&norm_l1_q, .at = 1, .n = 100, .most = 0.12, .why = measured},
    {&norm_excess_h, .at = 4, .n = 100, .most = 0.15, .why = measured},
    {&norm_l1_q, .at = 4, .n = 100, .most = 0.12, .why = measured},
    {&norm_excess_h, .at = 1, .n = 200, .most = 0.08, .why = measured},
    {&norm_l1_q, .at = 1, .n = 200, .most = 0.065, .why = measured},
    {&norm_excess_h, .at = 4, .n = 200, .most = 0.08, .why = measured},
    {&norm_l1_q, .at = 4, .n = 200, .most = 0.065, .why = measured},
    {&norm_excess_h, .at = 4, .n = 500, .most = 0.031, .why = REACHED},
    {&norm_l1_q, .at = 4, .n = 500, .most = 0.032, .why = REACHED},
    {&norm_excess_h, .at = 4, .n = 1000, .most = 0.016, .why = REACHED},
    {&norm_l1_q, .at = 4, .n = 1000, .most = 0.016, .why = REACHED},
    {&norm_excess_h, .at = 4, .n = 200, .order = 0.75, .why = shock},
    {&norm_l1_q, .at = 4, .n = 200, .order = 0.75, .why = shock},
    {&norm_excess_h, .at = 4, .n = 1000, .order = 0.75, .why = shock},
    {&norm_l1_q, .at = 4, .n = 1000, .order = 0.75, .why = shock},
    {&norm_front, .at = LARGEST, .n = 100, .most = 1, .theory = 1, .why = conserved},
    {&norm_front, .at = LARGEST, .n = 200, .most = 1, .theory = 1, .why = conserved},
    {0},
};

static const struct verification verify = {
    DAM_BREAK_RUNS,
    .ladder = {100, 200, 500, 1000}, /* the last two: figures 3.4 and 3.5 of the thesis */
    .quick = 2,
    .usual = 4,
    .limiters = 1,
    .scatter = 1,
};

const struct flow_case case_circular_dam = {
    CIRCULAR_DAM(40),
    .name = "circular-dam",
    .title = "circular dam break onto 0.5 m of water",
    .t_end = 2,
};
