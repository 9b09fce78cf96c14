/* Fills ghost cells; too small a part of a step to tune. */
#include "kernels/kernel.h"

extern const struct kernel kernels_boundary[];
const struct kernel kernels_boundary[] = {
    {.name = "boundary",
     .stem = "boundary",
     .file = "boundary.cu",
     .defines = "",
     .meets = 1,
     .block = {[CPU] = {128, 1}, [CUDA] = {128, 1}}},
    {.name = "boundary_t",
     .stem = "boundary",
     .file = "boundary.cu",
     .defines = "TRANSPOSED=1",
     .block = {[CPU] = {128, 1}, [CUDA] = {128, 1}}},
    {.name = 0},
};
