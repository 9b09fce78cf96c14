/* Heat in a plate: u_t = D (u_xx + u_yy), the smallest system. `make new-system` copies it; see "Adding a system"
 * in kernels/README.md. */
#include "kernels/kernel.h"
#include "kernels/system.h"

/* EDIT THIS: the unknowns, and the variables that users see. kernels/system.h explains each member. */
extern const struct system system_heat;
const struct system system_heat = {
    .name = "heat",
    .title = "temperature of a plate",
    .cite = "Fourier 1822",
    .scheme = "heat", /* of a run without --scheme */
    .unknown = {{.name = "u", .mirror_x = 1, .mirror_y = 1, .exchanged = 0}},
    .unknowns = 1,
    .variable = {{.name = "u", .title = "temperature", .units = "K", .of = 0}},
    .variables = 1,
    .conserved = {{.name = "content", .title = "content of the plate", .units = "K m2"}},
    .conserveds = 1,
};

#define COMMON \
    .stem = "heat", .file = "systems/heat.cu", .block = {[CPU] = {256, 8}, [CUDA] = {32, 8}}

extern const struct kernel kernels_heat[];
const struct kernel kernels_heat[] = {
    {.name = "heat_rate", .defines = "ADDS=0", COMMON},
    {.name = "heat_add", .defines = "ADDS=1", COMMON},
    {.name = 0},
};
