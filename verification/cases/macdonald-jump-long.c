/* Supercritical flow with Manning's friction that ends in a hydraulic jump, down a long channel:
 * SWASHES 3.2.1. It starts from a layer at rest, as deep as 2 m2/s are when they are critical. */
#define CHANNEL macdonald_jump_long
#include "verification/references/macdonald_case.h"

static const struct check checks[] = {
    {.norm = &norm_l1_h, .n = 100, .most = 1.8e-3, .why = MEASURED " of 1.0e-3"},
    {.norm = &norm_l1_h, .n = 200, .most = 1e-3, .why = MEASURED " of 5.8e-4"},
    {.norm = &norm_offset, .n = 100, .most = 1, .theory = 1, .why = ONE_CELL},
    {.norm = &norm_spared, .n = 100, .most = 1.2e-3, .why = ALONE},
    {.norm = &norm_l1_h, .n = 400, .from = 100, .order = 0.8, .why = JUMPS},
    {0},
};

static const struct verification verify = {LONG_CHANNEL_RUNS};

const struct flow_case case_macdonald_jump_long = {
    LONG_CHANNEL,
    .name = "macdonald-jump-long",
    .title = "super- to subcritical flow with friction in a channel made for it",
    .manning = 0.0218,
    .boundary = {STATE, DEPTH, WALL, WALL},
    .edge = {[WEST] = {.h = 0.5437906726379365, .hu = 2}, [EAST] = {.h = 1.334747194610659}},
};
