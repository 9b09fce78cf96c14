/* Infiltration, for --infiltration. */
#include "kernels/kernel.h"

extern const struct kernel kernels_soil[];
const struct kernel kernels_soil[] = {
    {.name = "soil",
     .stem = "soil",
     .file = "soil.cu",
     .cells = 1,
     .defines = "",
     .block = {[CPU] = {1024, 1}, [CUDA] = {64, 4}}},
    {.name = 0},
};
