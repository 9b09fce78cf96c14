/* The largest values of a run, for --maxima. Most launches may return at once: on a GPU the blocks are as high
 * as the grid allows, see core/sim/maxima.c. */
#include "kernels/kernel.h"

extern const struct kernel kernels_maxima[];
const struct kernel kernels_maxima[] = {
    {.name = "maxima",
     .stem = "maxima",
     .file = "maxima.cu",
     .cells = 1,
     .defines = "",
     .threads = 256,
     .block = {[CPU] = {256, 16}, [CUDA] = {128, 2}}},
    {.name = 0},
};
