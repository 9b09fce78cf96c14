/* The exchange of cells between tiles. */
#include "kernels/kernel.h"

extern const struct kernel kernels_tile_ghosts[];
const struct kernel kernels_tile_ghosts[] = {
    {.name = "tile_ghosts",
     .stem = "tile_ghosts",
     .file = "tile_ghosts.cu",
     .defines = "",
     .block = {[CPU] = {1024, 1}, [CUDA] = {128, 1}}},
    {.name = 0},
};
