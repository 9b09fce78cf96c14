/* Fills the ghost cells in corners; too small a part of a step to tune. It spans the rim, or the cells of
 * tiles, of which only those at an edge of the domain have anything to do. */
#include "kernels/kernel.h"

extern const struct kernel kernels_corners[];
const struct kernel kernels_corners[] = {
    {.name = "corners",
     .stem = "corners",
     .file = "corners.cu",
     .defines = "",
     .pushes = 1, /* nothing, but it fills what is not pushed */
     .map = WRITES_NO_STATE,
     .threads = 128,
     .block = {[CPU] = {128, 16}, [CUDA] = {128, 1}}},
    {.name = 0},
};
