/* The largest wave speed of a part: one block. */
#include "kernels/kernel.h"

extern const struct kernel kernels_largest[];
const struct kernel kernels_largest[] = {
    {.name = "largest",
     .stem = "largest",
     .file = "largest.cu",
     .defines = "",
     .block = {[CPU] = {1024, 1}, [CUDA] = {1024, 1}}},
    {.name = 0},
};
