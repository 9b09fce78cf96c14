/* Keeps the state of a pass that made no step; too small a part of a step to tune. */
#include "kernels/kernel.h"

extern const struct kernel kernels_stay[];
const struct kernel kernels_stay[] = {
    {.name = "stay",
     .stem = "stay",
     .file = "stay.cu",
     .defines = "",
     .pushes = 1,
     .undoes = 1,
     .fills_ghosts = 1,
     .map = WRITES_NO_STATE, /* no other one than was there */
     .threads = 256,
     .block = {[CPU] = {256, 16}, [CUDA] = {256, 256}},
     .enough_blocks = 512},
    {.name = 0},
};
