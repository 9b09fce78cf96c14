/* Ghost cells of systems without a bed. */
#include "kernels/kernel.h"

extern const struct kernel kernels_any_boundary[];
const struct kernel kernels_any_boundary[] = {
    {.name = "any_boundary",
     .stem = "any_boundary",
     .file = "any_boundary.cu",
     .defines = "",
     .block = {[CPU] = {128, 1}, [CUDA] = {128, 1}}},
    {.name = 0},
};
