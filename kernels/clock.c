/* The choice of the time step: one block. */
#include "kernels/kernel.h"

extern const struct kernel kernels_clock[];
const struct kernel kernels_clock[] = {
    {.name = "clock",
     .stem = "clock",
     .file = "clock.cu",
     .defines = "",
     .meets = 1,
     .block = {[CPU] = {1024, 1}, [CUDA] = {1024, 1}}},
    {.name = 0},
};
