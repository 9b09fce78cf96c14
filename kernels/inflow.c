/* The balance of what crosses open edges; launched only where there are some. */
#include "core/kernel.h"

extern const struct kernel kernels_inflow[];
const struct kernel kernels_inflow[] = {
    {.name = "inflow",
     .stem = "inflow",
     .file = "inflow.cu",
     .defines = "",
     .block = {[CPU] = {128, 1}, [CUDA] = {128, 1}}},
    {.name = 0},
};
