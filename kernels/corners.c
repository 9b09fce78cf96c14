/* Fills the ghost cells in corners; too small a part of a step to tune. */
#include "kernels/kernel.h"

extern const struct kernel kernels_corners[];
const struct kernel kernels_corners[] = {
    {.name = "corners",
     .stem = "corners",
     .file = "corners.cu",
     .defines = "",
     .map = WRITES_NO_STATE,
     .block = {[CPU] = {128, 1}, [CUDA] = {128, 1}}},
    {.name = 0},
};
