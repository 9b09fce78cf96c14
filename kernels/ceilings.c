/* The ceilings of a device: two kernels that set the scale for the times of the others. */
#include "kernels/kernel.h"

extern const struct kernel kernels_ceilings[];
const struct kernel kernels_ceilings[] = {
    {.name = "ceiling_copy",
     .stem = "ceiling",
     .file = "ceilings.cu",
     .defines = "CEILING_FMA=0",
     .block = {[CPU] = {1024, 1}, [CUDA] = {256, 1}}},
    {.name = "ceiling_fma",
     .stem = "ceiling",
     .file = "ceilings.cu",
     .defines = "CEILING_FMA=1",
     .block = {[CPU] = {1024, 1}, [CUDA] = {256, 1}}},
    {.name = 0},
};
