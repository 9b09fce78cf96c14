/* A kernel that only runs in parts launch: exchanges ghost cells. */
#include "kernels/kernel.h"

extern const struct kernel kernels_halo[];
const struct kernel kernels_halo[] = {
    {.name = "halo",
     .stem = "halo",
     .file = "halo.cu",
     .defines = "",
     .block = {[CPU] = {128, 1}, [CUDA] = {256, 1}}},
    {.name = 0},
};
