/* Rain, for --rain. */
#include "kernels/kernel.h"

extern const struct kernel kernels_rain[];
const struct kernel kernels_rain[] = {
    {.name = "rain",
     .stem = "rain",
     .file = "rain.cu",
     .cells = 1,
     .defines = "",
     .block = {[CPU] = {1024, 1}, [CUDA] = {64, 4}}},
    {.name = 0},
};
