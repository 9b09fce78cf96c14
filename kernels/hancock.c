/* MUSCL-Hancock in one pass, in the row language: on a GPU a warp computes a block. */
#include "kernels/host_args.h"
#include "kernels/hancock.h"
#include "kernels/kernel.h"

static const struct argument_places arguments = {
    .prefix = "",
    .bytes = sizeof(struct hancock_args),
    .pitch = offsetof(struct hancock_args, pitch),
    .clock = offsetof(struct hancock_args, clock),
    .in = {offsetof(struct hancock_args, q)},
    .out = offsetof(struct hancock_args, to),
    .speeds = offsetof(struct hancock_args, block_speed),
    .rim = offsetof(struct hancock_args, rim),
    .counters = offsetof(struct hancock_args, clipped),
    .ahead = offsetof(struct hancock_args, ahead),
};

/* Widths as in fused.c. Read and written per cell: the state twice, the rates of two steps, and the bed. The
 * default has one column a thread: with two of f64, in strict mode with friction, registers spill. */
extern const struct kernel kernels_hancock[];
const struct kernel kernels_hancock[] = {
    {.name = "hancock",
     .stem = "hancock",
     .file = "hancock.cu",
     .pushes = 1,
     .map = KEEPS_THE_MAP,
     .fills_ghosts = 1,
     .defines = "SUBSTEP=0",
     .tuned = 1,
     .takes = &arguments,
     .threads = 32,
     .reals = 9,
     .plugins = 1,
     .block = {[CPU] = {252, 32}, [CUDA] = {28, 32}},
     .space = {[CPU] = {.w = {{60, 64, 252}, {508, 256, 1020}}, .h = {8, 16, 32, 64, 128, 256}},
               [CUDA] = {.w = {{28, 32, 124}},
                         .h = {4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256}}}},
    {.name = 0},
};
