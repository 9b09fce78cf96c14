/* The Runge-Kutta integrators of the unsplit schemes, one per substep. */
#include "core/kernel.h"

extern const struct kernel kernels_rk[];
const struct kernel kernels_rk[] = {
    {.name = "rk0",
     .stem = "rk",
     .file = "rk.cu",
     .defines = "SUBSTEP=0",
     .tuned = 1,
     .block = {[CPU] = {1024, 1}, [CUDA] = {64, 4}}},
    {.name = "rk1",
     .stem = "rk",
     .file = "rk.cu",
     .defines = "SUBSTEP=1",
     .tuned = 1,
     .block = {[CPU] = {1024, 1}, [CUDA] = {64, 4}}},
    {.name = 0},
};
