/* Lists the tiles that a step computes, and halts the run if any of them is absent. */
#include "kernels/kernel.h"

extern const struct kernel kernels_active_tiles[];
const struct kernel kernels_active_tiles[] = {
    {.name = "active_tiles",
     .stem = "active_tiles",
     .file = "active_tiles.cu",
     .defines = "",
     .block = {[CPU] = {128, 1}, [CUDA] = {64, 9}}},
    {.name = 0},
};
