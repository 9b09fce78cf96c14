/* Discharge through lines, for --section. */
#include "kernels/kernel.h"

extern const struct kernel kernels_sections[];
const struct kernel kernels_sections[] = {
    {.name = "sections",
     .stem = "sections",
     .file = "sections.cu",
     .defines = "",
     .plugins = 1,
     .block = {[CPU] = {1024, 1}, [CUDA] = {128, 1}}},
    {.name = 0},
};
