/* Point sources and sinks, for --source. */
#include "kernels/kernel.h"

extern const struct kernel kernels_springs[];
const struct kernel kernels_springs[] = {
    {.name = "springs",
     .stem = "springs",
     .file = "springs.cu",
     .defines = "",
     .block = {[CPU] = {1024, 1}, [CUDA] = {128, 1}}},
    {.name = 0},
};
