/* The largest flood hazard of a run, for --hazard. */
#include "kernels/kernel.h"

extern const struct kernel kernels_hazard[];
const struct kernel kernels_hazard[] = {
    {.name = "hazard",
     .stem = "hazard",
     .file = "hazard.cu",
     .cells = 1,
     .defines = "",
     .threads = 256,
     .block = {[CPU] = {256, 16}, [CUDA] = {128, 16}}},
    {.name = 0},
};
