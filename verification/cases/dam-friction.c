/* A dam breaks over a dry rough bed: Manning friction holds the tip back, which then is blunt and
 * steep, not Ritter's. No formula is known for it; the reference is computed. The numbers are chosen
 * here, after Dressler 1952. */
#define LINE  .length = 50, .dam = 20, .behind = 1, .manning = 0.03, .t_end = 4
#define CELLS 4000
#define TIMES 4
#include "verification/references/dam_case.h"

static const char kinks[] = "the solution has a kink and a steep tip: first order, less a margin";
static const char tip[] = "friction fixes the tip's speed; a cell for its place in one";

static const struct check checks[] = {
    {&norm_excess_h, .at = 4, .n = 100, .most = 0.0145, .why = REACHED},
    {&norm_l1_q, .at = 4, .n = 100, .most = 0.036, .why = REACHED},
    {&norm_excess_h, .at = 4, .n = 200, .most = 0.007, .why = REACHED},
    {&norm_l1_q, .at = 4, .n = 200, .most = 0.0175, .why = REACHED},
    {&norm_excess_h, .at = 4, .n = 800, .most = 0.0015, .why = REACHED},
    {&norm_l1_q, .at = 4, .n = 800, .most = 0.0037, .why = REACHED},
    {&norm_excess_h, .at = 4, .n = 200, .order = 0.8, .why = kinks},
    {&norm_l1_q, .at = 4, .n = 200, .order = 0.8, .why = kinks},
    {&norm_excess_h, .at = 4, .n = 800, .order = 0.8, .why = kinks},
    {&norm_l1_q, .at = 4, .n = 800, .order = 0.8, .why = kinks},
    {&norm_front, .at = LARGEST, .n = 100, .most = 1, .theory = 1, .why = tip},
    {&norm_front, .at = LARGEST, .n = 200, .most = 1, .theory = 1, .why = tip},
    {&norm_front, .at = LARGEST, .n = 800, .most = 1, .theory = 1, .why = tip},
    {0},
};

static const struct verification verify = {
    DAM_BREAK_RUNS,
    .ladder = {100, 200, 400, 800},
    .quick = 2,
    .usual = 4,
};

const struct flow_case case_dam_friction = {
    DAM_BREAK,
    .name = "dam-friction",
    .title = "dam break over a dry bed with Manning friction",
    .cite = "after Dressler 1952",
    .nx = 200,
    .ny = 1,
    .lx = 50,
    .ly = 0.5,
    .t_end = 4,
    .manning = 0.03,
    .kappa = 0.002,
    .kappa_scales = 1,
};
