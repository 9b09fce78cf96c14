/* Adds a case's forcing; launched only for cases that have one. */
#include "kernels/kernel.h"

extern const struct kernel kernels_forcing[];
const struct kernel kernels_forcing[] = {
    {.name = "forcing",
     .stem = "forcing",
     .file = "forcing.cu",
     .cells = 1,
     .defines = "",
     .block = {[CPU] = {1024, 1}, [CUDA] = {64, 4}}},
    {.name = 0},
};
