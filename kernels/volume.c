/* The volume of the water, for the balance. */
#include "kernels/kernel.h"

extern const struct kernel kernels_volume[];
const struct kernel kernels_volume[] = {
    {.name = "volume",
     .stem = "volume",
     .file = "volume.cu",
     .cells = 1,
     .defines = "",
     .threads = 256,
     .block = {[CPU] = {256, 16}, [CUDA] = {128, 64}}},
    {.name = 0},
};
