/* The comparison of two arrays, for the tuner. */
#include "kernels/kernel.h"

extern const struct kernel kernels_compare[];
const struct kernel kernels_compare[] = {
    {.name = "compare",
     .stem = "compare",
     .file = "compare.cu",
     .defines = "",
     .reals = 2,
     .block = {[CPU] = {1024, 16}, [CUDA] = {256, 4}}},
    {.name = 0},
};
