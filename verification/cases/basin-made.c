/* A steady floor and fraction of sand over uneven coefficients, kept by a supply of sediment. */
#define EQUAL 0
#include "verification/references/basin_made_case.h"

static const char first[] = "the share is of first order, and enters the diffusion of the floor";

static const struct check checks[] = {
    {&norm_height, .n = 100, .from = 50, .order = 0.9, .f64_only = 1, .why = first},
    {&norm_share, .n = 100, .from = 50, .order = 0.9, .f64_only = 1, .why = first},
    {&norm_height, .n = 400, .from = 200, .order = 0.9, .f64_only = 1, .why = first},
    {&norm_share, .n = 400, .from = 200, .order = 0.9, .f64_only = 1, .why = first},
    {0},
};

static const struct verification verify = {MADE_RUNS};

const struct flow_case case_basin_made = {
    .name = "basin-made",
    .title = "a floor held by what is added, over uneven coefficients",
    MADE_BASIN,
};
