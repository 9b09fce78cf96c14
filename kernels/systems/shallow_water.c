/* The shallow-water equations. The stored level, eta, is close to zero however high the ground lies: see struct
 * fields in args.h. */
#include "kernels/systems/shallow_water.h"

extern const struct system system_shallow_water;
const struct system system_shallow_water = {
    .name = "shallow_water",
    .title = "depth and discharge of water over a bed",
    .cite = "Kurganov and Petrova 2007",
    .scheme = "rk2",
    .tuned_on = "circular-dam",
    .over_bed = 1,
    .unknown = {SHALLOW_WATER_UNKNOWNS},
    .unknowns = 3,
    .variable = {SHALLOW_WATER_VARIABLES},
    .variables = 5,
    .conserved = {WATER_IS_CONSERVED},
    .conserveds = 1,
};
