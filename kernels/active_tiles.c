/* Lists the tiles that a step computes, and halts the run if any of them is absent. */
#include "kernels/kernel.h"

extern const struct kernel kernels_active_tiles[];
const struct kernel kernels_active_tiles[] = {
    {.name = "active_tiles",
     .stem = "active_tiles",
     .file = "active_tiles.cu",
     .defines = "LISTS=1",
     .block = {[CPU] = {128, 1}, [CUDA] = {128, 1}}},
    {.name = "absent_tiles",
     .stem = "absent_tiles",
     .file = "active_tiles.cu",
     .defines = "LISTS=0",
     .block = {[CPU] = {1, 1}, [CUDA] = {32, 1}}},
    {.name = 0},
};
