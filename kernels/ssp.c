/* The later substeps of three-stage Runge-Kutta (Shu and Osher 1988, eq. 2.18); the first is rk0. */
#include "kernels/kernel.h"

extern const struct kernel kernels_ssp[];
const struct kernel kernels_ssp[] = {
    {.name = "ssp1",
     .stem = "ssp",
     .file = "ssp.cu",
     .pushes = 1,
     .map = KEEPS_THE_MAP,
     .defines = "KEEP=3.0/4",
     .reals = 13,
     .block = {[CPU] = {1024, 1}, [CUDA] = {64, 4}}},
    {.name = "ssp2",
     .stem = "ssp",
     .file = "ssp.cu",
     .pushes = 1,
     .map = KEEPS_THE_MAP,
     .defines = "KEEP=1.0/3",
     .reals = 13,
     .block = {[CPU] = {1024, 1}, [CUDA] = {64, 4}}},
    {.name = 0},
};
