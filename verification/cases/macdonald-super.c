/* Supercritical flow down a channel with Manning's friction, whose bed is made for it: SWASHES
 * 3.2.1. It starts from a layer at rest, as deep as 2 m2/s are when they are critical.
 *
 * The channel falls by 35 m, so in f32 the level's last digit is worth 4e-6 m. Its rounding gives
 * errors of 5e-4 in discharge on 100 cells, and more on more. */
#define CHANNEL macdonald_super
#include "verification/references/macdonald_case.h"

static const char uniform[] = "a supercritical steady flow has its discharge exact";
static const char ghosts[] = "the inflow's ghost cells are first order";

static const struct check checks[] = {
    {.norm = &norm_l1_h, .n = 100, .most = 1e-3, .why = MEASURED " of 5.6e-4"},
    {.norm = &norm_l1_q, .n = 100, .most = 1e-6, .most_f32 = 1e-3, .why = uniform},
    {.norm = &norm_l1_h, .n = 200, .most = 4e-4, .most_f32 = 2e-3, .why = MEASURED " of 2.2e-4"},
    {.norm = &norm_l1_h, .n = 400, .most = 1.3e-4, .most_f32 = 2e-3, .why = MEASURED " of 7.5e-5"},
    {.norm = &norm_l1_h, .n = 400, .f64_only = 1, .order = 1, .why = ghosts},
    {0},
};

static const struct verification verify = {LONG_CHANNEL_RUNS};

const struct flow_case case_macdonald_super = {
    LONG_CHANNEL,
    .name = "macdonald-super",
    .title = "supercritical flow with friction in a channel made for it",
    .manning = 0.04,
    .boundary = {STATE, OPEN, WALL, WALL},
    .edge = {[WEST] = {.h = 0.7415144329334475, .hu = 2.5}},
};
