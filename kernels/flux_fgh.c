/* The unsplit flux kernel of the thesis ("FGH"): substep 0 reduces wave speeds, substep 1 does not. */
#include "core/kernel.h"

extern const struct kernel kernels_flux_fgh[];
const struct kernel kernels_flux_fgh[] = {
    {.name = "flux_fgh0",
     .stem = "flux_fgh",
     .file = "flux_fgh.cu",
     .defines = "SUBSTEP=0",
     .tuned = 1,
     .plugins = 1,
     .block = {[CPU] = {256, 8}, [CUDA] = {32, 8}}},
    {.name = "flux_fgh1",
     .stem = "flux_fgh",
     .file = "flux_fgh.cu",
     .defines = "SUBSTEP=1",
     .tuned = 1,
     .plugins = 1,
     .block = {[CPU] = {256, 8}, [CUDA] = {32, 8}}},
    {.name = 0},
};
