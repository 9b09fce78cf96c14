/* What a case adds to the flow; launched only for cases that add something. */
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
