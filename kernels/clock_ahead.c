/* The clock that checks a tried time step: one block. */
#include "kernels/kernel.h"

extern const struct kernel kernels_clock_ahead[];
const struct kernel kernels_clock_ahead[] = {
    {.name = "ahead",
     .stem = "ahead",
     .file = "clock_ahead.cu",
     .defines = "",
     .meets = 1,
     .block = {[CPU] = {1024, 1}, [CUDA] = {512, 1}}}, /* with room for copies in registers */
    {.name = 0},
};
