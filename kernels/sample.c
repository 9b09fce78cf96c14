/* Samples of the state for a picture while the run goes on; compiled where --live wants it. */
#include "kernels/kernel.h"

extern const struct kernel kernels_sample[];
const struct kernel kernels_sample[] = {
    {.name = "sample",
     .stem = "sample",
     .file = "sample.cu",
     .defines = "",
     .block = {[CPU] = {128, 8}, [CUDA] = {32, 8}}},
    {.name = 0},
};
