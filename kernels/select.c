/* Early exit's choice of blocks: one cell of this kernel is one block of the others. */
#include "core/kernel.h"

extern const struct kernel kernels_select[];
const struct kernel kernels_select[] = {
    {.name = "select",
     .stem = "select",
     .file = "select.cu",
     .defines = "",
     .block = {[CPU] = {128, 1}, [CUDA] = {128, 1}}},
    {.name = 0},
};
