/* The flux kernels of the thesis, all variants of one text. Substep 0 also reduces wave speeds. */
#include "kernels/host_args.h"
#include "kernels/kernel.h"

/* Thesis 4.1.1: FGH blocks are tiles, pruned to width >= 14 and height >= 6; line kernels are one cell high and
 * pruned to full half-warps; so are the Y-blocks. Lines along y read a transposed state but an untransposed
 * bed: their height decides how much of its rows they fetch at once. `known`: the thesis's winners (table 4.1).
 * On a CPU blocks are loops over tiles in cache, and wide ones have few cells outside vectors. */
#define TILE_SIDES .w = {{4, 4, 64}, {96, 32, 128}}, .h = {1, 2, 4, 6, 8, 12, 16, 24, 32}
#define TILES_GPU                                                                      \
    {                                                                                  \
        TILE_SIDES, .known = {{16, 13}, {32, 10}}, .prune = {.min_w = 14, .min_h = 6 } \
    }
#define LINE_RULES .prune = {.min_w = 64, .threads_multiple = 16}
#define LINES_X_GPU                                       \
    {                                                     \
        .w = {{16, 16, 1024}}, .h = {1, 2, 4}, LINE_RULES \
    }
#define LINES_Y_GPU                                              \
    {                                                            \
        .w = {{16, 16, 1024}}, .h = {1, 2, 4, 8, 16}, LINE_RULES \
    }
#define Y_BLOCKS_GPU                                                                 \
    {                                                                                \
        TILE_SIDES, .known = {{16, 11}, {32, 7}}, .prune = {.threads_multiple = 16 } \
    }
#define TILES_CPU                                         \
    {                                                     \
        .w = {{16, 0, 1024}}, .h = { 1, 2, 4, 8, 16, 32 } \
    }

static const struct argument_places arguments = {
    .prefix = "rate of ",
    .bytes = sizeof(struct flux_args),
    .pitch = offsetof(struct flux_args, pitch),
    .wet = offsetof(struct flux_args, wet),
    .clock = offsetof(struct flux_args, clock),
    .in = {offsetof(struct flux_args, q)},
    .out = offsetof(struct flux_args, r),
    .speeds = offsetof(struct flux_args, block_speed),
    .rim = offsetof(struct flux_args, rim),
};

#define KERNEL_OF(kernel, family, exits, what, cpu_w, cpu_h, gpu_w, gpu_h, gpu_space)           \
    {                                                                                           \
        .name = kernel, .stem = family, .file = "flux.cu", .defines = what, .tuned = 1,         \
        .takes = &arguments, .map = WRITES_NO_STATE, .reals = 7, .plugins = 1, .listed = exits, \
        .block = {[CPU] = {cpu_w, cpu_h}, [CUDA] = {gpu_w, gpu_h}},                             \
        .space = {[CPU] = TILES_CPU, [CUDA] = gpu_space},                                       \
    }

extern const struct kernel kernels_flux[];
const struct kernel kernels_flux[] = {
    KERNEL_OF("flux_fgh0", "flux_fgh", 0, "SUBSTEP=0 DIRECTIONS=3", 256, 8, 32, 8, TILES_GPU),
    KERNEL_OF("flux_fgh1", "flux_fgh", 0, "SUBSTEP=1 DIRECTIONS=3", 256, 8, 32, 8, TILES_GPU),
    KERNEL_OF("flux_fgh0_ee", "flux_fgh", 1, "SUBSTEP=0 DIRECTIONS=3 EARLY_EXIT=1", 128, 16, 32, 8,
              TILES_GPU),
    KERNEL_OF("flux_fgh1_ee", "flux_fgh", 1, "SUBSTEP=1 DIRECTIONS=3 EARLY_EXIT=1", 128, 16, 32, 8,
              TILES_GPU),
    KERNEL_OF("flux_fx0", "flux_fx", 0, "SUBSTEP=0 DIRECTIONS=1", 512, 4, 256, 1, LINES_X_GPU),
    KERNEL_OF("flux_fx1", "flux_fx", 0, "SUBSTEP=1 DIRECTIONS=1", 512, 4, 256, 1, LINES_X_GPU),
    KERNEL_OF("flux_fy0", "flux_fy", 0, "SUBSTEP=0 DIRECTIONS=1 TRANSPOSED=1", 512, 4, 64, 4,
              LINES_Y_GPU),
    KERNEL_OF("flux_fy1", "flux_fy", 0, "SUBSTEP=1 DIRECTIONS=1 TRANSPOSED=1", 512, 4, 64, 4,
              LINES_Y_GPU),
    KERNEL_OF("flux_yblock0", "flux_yblock", 0, "SUBSTEP=0 DIRECTIONS=2", 256, 8, 32, 8,
              Y_BLOCKS_GPU),
    KERNEL_OF("flux_yblock1", "flux_yblock", 0, "SUBSTEP=1 DIRECTIONS=2", 256, 8, 32, 8,
              Y_BLOCKS_GPU),
    {.name = 0},
};
