/* Evaluates time-dependent values of edges; too small a part of a step to tune. */
#include "kernels/kernel.h"

extern const struct kernel kernels_series[];
const struct kernel kernels_series[] = {
    {.name = "series",
     .stem = "series",
     .file = "series.cu",
     .defines = "",
     .block = {[CPU] = {64, 1}, [CUDA] = {64, 1}}},
    {.name = 0},
};
