/* Early exit's choice of blocks: one cell of this kernel is one block of the others. */
#include "kernels/kernel.h"

extern const struct kernel kernels_active_blocks[];
const struct kernel kernels_active_blocks[] = {
    {.name = "select",
     .stem = "select",
     .file = "active_blocks.cu",
     .defines = "",
     .block = {[CPU] = {128, 1}, [CUDA] = {128, 1}}},
    {.name = 0},
};
