/* The same where alpha / Cs = beta / Cm everywhere: the share of sand does not matter to the floor, which is of second order
 * then. (Coefficients from the uphill side of faces, as basin_cons has them, are of first order where they vary.) */
#define EQUAL 1
#include "verification/references/basin_made_case.h"

static const char first[] = "the share is of first order";
static const char second[] = "1.1 times what it reached: a quarter for half the cells, order 2";

static const struct check checks[] = {
    {&norm_height, .n = 50, .most = 4.3e-5, .f64_only = 1, .why = second},
    {&norm_height, .n = 100, .most = 1.08e-5, .f64_only = 1, .why = second},
    {&norm_height, .n = 200, .most = 2.7e-6, .f64_only = 1, .why = second},
    {&norm_height, .n = 400, .most = 6.7e-7, .f64_only = 1, .why = second},
    {&norm_share, .n = 100, .from = 50, .order = 0.9, .f64_only = 1, .why = first},
    {&norm_share, .n = 400, .from = 200, .order = 0.9, .f64_only = 1, .why = first},
    {0},
};

static const struct verification verify = {MADE_RUNS};

const struct flow_case case_basin_made_equal = {
    .name = "basin-made-equal",
    .title = "the same, where the share does not matter to the floor",
    MADE_BASIN,
};
