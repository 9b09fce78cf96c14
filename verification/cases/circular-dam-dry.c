/* Circular dam break onto dry ground: thesis 3.1.2, figure 3.2 (the choice of the time step factor). */
#define LINE    .radial = 1, .length = 24, .dam = 2.5, .behind = 2.5, .t_end = 1.5
#define SECTION "3.1.2"
#define CELLS   4000
#define TIMES   3
#include "verification/references/dam_case.h"

static const char conserved[] = CONSERVED "a cell and a half for its place";

static const struct check checks[] = {
    {&norm_excess_h, .at = 2, .n = 100, .most = 0.085, .why = REACHED},
    {&norm_l1_q, .at = 2, .n = 100, .most = 0.12, .why = REACHED},
    {&norm_excess_h, .at = 3, .n = 100, .most = 0.12, .why = REACHED},
    {&norm_l1_q, .at = 3, .n = 100, .most = 0.135, .why = REACHED},
    {&norm_excess_h, .at = 3, .n = 200, .most = 0.056, .why = REACHED},
    {&norm_l1_q, .at = 3, .n = 200, .most = 0.066, .why = REACHED},
    {&norm_excess_h, .at = 3, .n = 200, .order = 0.75, .why = KINKS},
    {&norm_l1_q, .at = 3, .n = 200, .order = 0.75, .why = KINKS},
    {&norm_front, .at = 3, .n = 100, .most = 1.5, .first = 1.5, .theory = 1, .why = conserved},
    {&norm_front, .at = 3, .n = 200, .most = 1.5, .first = 1.5, .theory = 1, .why = conserved},
    {0},
};

static const struct verification verify = {
    DAM_BREAK_RUNS, .ladder = {100, 200, 400}, .quick = 1, .usual = 2,
    .t_end = 1.5, /* soon after, the thin front meets the walls */
    .scatter = 1,
};

const struct flow_case case_circular_dam_dry = {
    CIRCULAR_DAM(40),
    DAM_WET(2.5),
    .name = "circular-dam-dry",
    .title = "circular dam break onto dry ground",
    .t_end = 2,
};
