/* The unknowns of shallow water and the variables that users see, for its table and those of systems that
 * extend it. */
#ifndef SHOAL_SHALLOW_WATER_H
#define SHOAL_SHALLOW_WATER_H

#include "kernels/system.h"

/* clang-format off */
#define SHALLOW_WATER_UNKNOWNS                                     \
    {.name = "eta", .mirror_x = 1, .mirror_y = 1, .exchanged = 0}, \
    {.name = "hu", .mirror_x = -1, .mirror_y = 1, .exchanged = 2}, \
    {.name = "hv", .mirror_x = 1, .mirror_y = -1, .exchanged = 1}

#define SHALLOW_WATER_VARIABLES                                                                        \
    {.name = "w", .title = "level of the water surface",                                               \
     .standard = "water_surface_height_above_reference_datum", .units = "m", .of = 0, .as = AS_LEVEL}, \
    {.name = "h", .title = "depth of the water", .units = "m", .of = 0, .as = AS_DEPTH},               \
    {.name = "hu", .title = "discharge per unit width along x", .units = "m2 s-1", .of = 1},           \
    {.name = "hv", .title = "discharge per unit width along y", .units = "m2 s-1", .of = 2},           \
    {.name = "eta", .title = "level of the water above the level at rest", .units = "m", .of = 0,      \
     .on_request = 1}

#define WATER_IS_CONSERVED {.name = "volume", .title = "volume of the water", .units = "m3"}
/* clang-format on */

#endif
