/* The balance of the flow through open edges; launched only if there are any. */
#include "kernels/kernel.h"

extern const struct kernel kernels_net_inflow[];
const struct kernel kernels_net_inflow[] = {
    {.name = "inflow",
     .stem = "inflow",
     .file = "net_inflow.cu",
     .defines = "",
     .block = {[CPU] = {128, 1}, [CUDA] = {128, 1}}},
    {.name = 0},
};
