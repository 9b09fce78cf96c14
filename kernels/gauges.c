/* The state at gauges, for --gauge and --gauges. */
#include "kernels/kernel.h"

extern const struct kernel kernels_gauges[];
const struct kernel kernels_gauges[] = {
    {.name = "gauges",
     .stem = "gauges",
     .file = "gauges.cu",
     .defines = "",
     .block = {[CPU] = {1024, 1}, [CUDA] = {128, 1}}},
    {.name = 0},
};
