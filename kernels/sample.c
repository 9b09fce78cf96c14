/* Samples of the state for a picture during the run; compiled only for --live. */
#include "kernels/kernel.h"

extern const struct kernel kernels_sample[];
const struct kernel kernels_sample[] = {
    {.name = "sample",
     .stem = "sample",
     .file = "sample.cu",
     .defines = "",
     .block = {[CPU] = {1024, 1}, [CUDA] = {128, 1}}},
    {.name = 0},
};
