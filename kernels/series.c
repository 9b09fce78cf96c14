/* Finds what changes with time at edges; too short a part of a step to be tuned. */
#include "kernels/kernel.h"

extern const struct kernel kernels_series[];
const struct kernel kernels_series[] = {
    {.name = "series",
     .stem = "series",
     .file = "series.cu",
     .defines = "",
     .block = {[CPU] = {64, 1}, [CUDA] = {64, 1}}},
    {.name = 0},
};
