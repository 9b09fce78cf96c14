/* The shallow-water equations. What is stored of the level is close to zero wherever the ground lies: eta, see
 * struct fields in args.h. */
#include "kernels/system.h"

extern const struct system system_shallow_water;
const struct system system_shallow_water = {
    .name = "shallow_water",
    .title = "depth and discharge of water over a bed",
    .cite = "Kurganov and Petrova 2007",
    .unknown = {{.name = "eta", .mirror_x = 1, .mirror_y = 1, .exchanged = 0},
                {.name = "hu", .mirror_x = -1, .mirror_y = 1, .exchanged = 2},
                {.name = "hv", .mirror_x = 1, .mirror_y = -1, .exchanged = 1}},
    .unknowns = 3,
    .variable =
        {{.name = "w",
          .title = "level of the water surface",
          .standard = "water_surface_height_above_reference_datum",
          .units = "m",
          .of = 0,
          .as = AS_LEVEL},
         {.name = "h", .title = "depth of the water", .units = "m", .of = 0, .as = AS_DEPTH},
         {.name = "hu", .title = "discharge per unit width along x", .units = "m2 s-1", .of = 1},
         {.name = "hv", .title = "discharge per unit width along y", .units = "m2 s-1", .of = 2},
         {.name = "eta",
          .title = "level of the water above the level at rest",
          .units = "m",
          .of = 0,
          .on_request = 1}},
    .variables = 5,
};
