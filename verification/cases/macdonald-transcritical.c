/* Flow that turns supercritical down a channel with Manning's friction: SWASHES 3.2.1. It starts
 * from a layer at rest, as deep as 2 m2/s are when they are critical. */
#define CHANNEL macdonald_transcritical
#include "verification/references/macdonald_case.h"

static const char reached[] = "1.14 by an independent KP07, less 0.1";

static const struct check checks[] = {
    {.norm = &norm_l1_h, .n = 100, .most = 1.5e-3, .why = MEASURED " of 8.6e-4"},
    {.norm = &norm_l1_h, .n = 200, .most = 7e-4, .why = MEASURED " of 3.9e-4"},
    {.norm = &norm_l1_h, .n = 200, .f64_only = 1, .order = 1, .why = reached},
    {0},
};

static const struct verification verify = {LONG_CHANNEL_RUNS};

const struct flow_case case_macdonald_transcritical = {
    LONG_CHANNEL,
    .name = "macdonald-transcritical",
    .title = "sub- to supercritical flow with friction in a channel made for it",
    .manning = 0.0218,
    .boundary = {DISCHARGE, OPEN, WALL, WALL},
    .edge = {[WEST] = {.hu = 2}},
};
