/* Fills ghost cells of edges that impose values; too small a part of a step to tune. */
#include "kernels/kernel.h"

extern const struct kernel kernels_edges[];
const struct kernel kernels_edges[] = {
    {.name = "boundary_given",
     .stem = "boundary",
     .file = "edges.cu",
     .defines = "",
     .plugins = 1,
     .block = {[CPU] = {128, 1}, [CUDA] = {128, 1}}},
    {.name = "boundary_given_t",
     .stem = "boundary",
     .file = "edges.cu",
     .defines = "TRANSPOSED=1",
     .plugins = 1,
     .block = {[CPU] = {128, 1}, [CUDA] = {128, 1}}},
    {.name = 0},
};
