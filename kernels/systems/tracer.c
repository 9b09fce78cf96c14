/* Shallow water that carries a tracer: dissolved matter, heat, or a dye that only marks where water came from.
 * c has the unit of the input. */
#include "kernels/systems/shallow_water.h"

extern const struct system system_tracer;
const struct system system_tracer = {
    .name = "tracer",
    .title = "shallow water and the concentration of a passive tracer in it",
    .cite = "kernels/num/tracer.h",
    .extends = "shallow_water",
    .scheme = "rk2",
    .tuned_on = "circular-dam",
    .over_bed = 1,
    .carried = 3,
    .unknown = {SHALLOW_WATER_UNKNOWNS,
                {.name = "tracer", .mirror_x = 1, .mirror_y = 1, .exchanged = 3}},
    .unknowns = 4,
    .variable = {SHALLOW_WATER_VARIABLES,
                 {.name = "c",
                  .title = "concentration of the tracer",
                  .units = "1",
                  .of = 3,
                  .as = AS_CARRIED},
                 {.name = "tracer",
                  .title = "concentration of the tracer, also where there is no water",
                  .units = "1",
                  .of = 3,
                  .on_request = 1}},
    .variables = 7,
    .conserved = {WATER_IS_CONSERVED,
                  {.name = "amount", .title = "amount of the tracer", .units = "m3", .times = 3}},
    .conserveds = 2,
};
