/* Subcritical flow down a channel with Manning's friction, whose bed is made for it: SWASHES
 * 3.2.1. It starts from a layer at rest, as deep as 2 m2/s are when they are critical. */
#define CHANNEL macdonald_sub
#include "verification/references/macdonald_case.h"

static const char own[] =
    "1.5 times what rk2 reached in f64; an independent KP07 with mirrored beds "
    "outside reached 2.3e-4 and 1.2e-4";
static const char second[] = "second order in space, less 0.1";

/* In f32 the level, 7 m above the outlet, is rounded by up to 2.4e-7 m in every step. */
static const struct check checks[] = {
    {.norm = &norm_l1_h, .n = 100, .most = 3e-5, .most_f32 = 6e-4, .why = own},
    {.norm = &norm_l1_q, .n = 100, .most = 2.5e-5, .most_f32 = 8e-4, .why = own},
    {.norm = &norm_l1_h, .n = 200, .most = 7e-6, .most_f32 = 6e-4, .why = own},
    {.norm = &norm_l1_h, .n = 200, .f64_only = 1, .order = 1.9, .why = second},
    {.norm = &norm_l1_q, .n = 200, .f64_only = 1, .order = 1.6, .why = "1.72 by rk2, less 0.1"},
    {0},
};

static const struct verification verify = {LONG_CHANNEL_RUNS};

const struct flow_case case_macdonald_sub = {
    LONG_CHANNEL,
    .name = "macdonald-sub",
    .title = "subcritical flow with friction in a channel made for it",
    .manning = 0.033,
    .boundary = {DISCHARGE, DEPTH, WALL, WALL},
    .edge = {[WEST] = {.hu = 2}, [EAST] = {.h = 0.7483235583183894}},
};
