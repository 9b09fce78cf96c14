/* A column of water in a lake: the case of paper IV (Saetra and Brodtkorb 2012, section 4), on which it measures speed.
 * Lengths are 100 times those of circular-dam, so times are 10 times (Froude), and errors in parts of the water the same. */
#define LINE  .radial = 1, .length = 1200, .dam = 250, .behind = 250, .before = 50, .t_end = 20
#define CELLS 3000
#define TIMES 4
#include "verification/references/dam_case.h"

static const char similar[] = "as circular-dam, to which it is similar";
static const char shock[] = "first order behind a shock; an independent code: 0.93 to 1.0";
static const char conserved[] = CONSERVED "a cell for its place in one";

static const struct check checks[] = {
    {&norm_excess_h, .at = 1, .n = 100, .most = 0.15, .why = similar},
    {&norm_l1_q, .at = 1, .n = 100, .most = 0.12, .why = similar},
    {&norm_excess_h, .at = 4, .n = 100, .most = 0.15, .why = similar},
    {&norm_l1_q, .at = 4, .n = 100, .most = 0.12, .why = similar},
    {&norm_excess_h, .at = 4, .n = 200, .most = 0.08, .why = similar},
    {&norm_l1_q, .at = 4, .n = 200, .most = 0.065, .why = similar},
    {&norm_excess_h, .at = 4, .n = 200, .order = 0.75, .why = shock},
    {&norm_l1_q, .at = 4, .n = 200, .order = 0.75, .why = shock},
    {&norm_front, .at = LARGEST, .n = 100, .most = 1, .theory = 1, .why = conserved},
    {&norm_front, .at = LARGEST, .n = 200, .most = 1, .theory = 1, .why = conserved},
    {0},
};

static const struct verification verify = {
    DAM_BREAK_RUNS, .ladder = {100, 200}, .quick = 1, .usual = 2, .scatter = 1,
};

const struct flow_case case_water_column = {
    DAM_BREAK,
    .name = "water-column",
    .title = "column of 250 m of water in a lake of 50 m",
    .cite = "Saetra and Brodtkorb 2012, section 4",
    .nx = 1024,
    .ny = 1024,
    .lx = 4000,
    .ly = 4000,
    .x0 = -2000,
    .y0 = -2000,
    .t_end = 20,
};
