/* Kernels that only runs in parts launch: the exchange of ghost cells, and the reduction of wave speeds to one
 * number. */
#include "kernels/kernel.h"

extern const struct kernel kernels_halo[];
const struct kernel kernels_halo[] = {
    {.name = "halo_pack",
     .stem = "halo",
     .file = "halo.cu",
     .defines = "UNPACK=0",
     .block = {[CPU] = {128, 1}, [CUDA] = {128, 1}}},
    {.name = "halo_unpack",
     .stem = "halo",
     .file = "halo.cu",
     .defines = "UNPACK=1",
     .block = {[CPU] = {128, 1}, [CUDA] = {128, 1}}},
    {.name = 0},
};
