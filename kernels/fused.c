/* The fused substeps of RK2, in the row language: on a GPU a warp computes a block. */
#include "kernels/host_args.h"
#include "kernels/fused.h"
#include "kernels/kernel.h"

/* On a GPU the widths are one, two, ... columns a thread of a warp, less the outer columns, whose results are
 * unused. Higher blocks load fewer rows twice, but there are fewer warps: in a launch of only a few waves of
 * warps speed depends on how full the last wave is, hence the many heights. On a CPU the rows of a block must
 * fit into the first-level cache, and with the outer columns they are whole vectors. */
#define HEIGHTS_GPU \
    4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 72, 80, 96, 112, 128, 192, 256
#define ROWS_GPU                                   \
    {                                              \
        .w = {{28, 32, 124}}, .h = { HEIGHTS_GPU } \
    }
#define ROWS_CPU                                                                 \
    {                                                                            \
        .w = {{60, 64, 252}, {508, 256, 1020}}, .h = { 8, 16, 32, 64, 128, 256 } \
    }

/* In a run the second substep overwrites the state that it averages with; when the tuner launches, `to` is
 * elsewhere. Both move the same number of bytes. */
static const struct argument_places arguments = {
    .prefix = "",
    .bytes = sizeof(struct fused_args),
    .pitch = offsetof(struct fused_args, pitch),
    .clock = offsetof(struct fused_args, clock),
    .in = {offsetof(struct fused_args, q), offsetof(struct fused_args, base)},
    .out = offsetof(struct fused_args, to),
    .speeds = offsetof(struct fused_args, block_speed),
    .rim = offsetof(struct fused_args, rim),
    .counters = offsetof(struct fused_args, counters),
    .ahead = offsetof(struct fused_args, ahead),
};

#define KERNEL_OF(kernel, what, moved)                                                          \
    {                                                                                           \
        .name = kernel, .stem = "fused", .file = "fused.cu", .pushes = 1, .map = KEEPS_THE_MAP, \
        .meets = 1, .fills_ghosts = 1, .defines = what, .tuned = 1, .takes = &arguments,        \
        .threads = 32, .reals = moved, .plugins = 1,                                            \
        .block = {[CPU] = {252, 32}, [CUDA] = {60, 16}},                                        \
        .space = {[CPU] = ROWS_CPU, [CUDA] = ROWS_GPU},                                         \
    }

extern const struct kernel kernels_fused[];
const struct kernel kernels_fused[] = {
    KERNEL_OF("fused0", "SUBSTEP=0", 7),
    KERNEL_OF("fused1", "SUBSTEP=1", 10),
    {.name = 0},
};
