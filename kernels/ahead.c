/* The clock that checks a time step tried ahead: one block. */
#include "core/kernel.h"

extern const struct kernel kernels_ahead[];
const struct kernel kernels_ahead[] = {
    {.name = "ahead",
     .stem = "ahead",
     .file = "ahead.cu",
     .defines = "",
     .block = {[CPU] = {1024, 1}, [CUDA] = {1024, 1}}},
    {.name = 0},
};
