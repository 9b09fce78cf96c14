/* The time-integration kernels of the thesis, all variants of one text: plain, with the map of
 * active blocks, for two flux kernels (SRK), and transposing for the split schemes. */
#include "kernels/host_args.h"
#include "kernels/kernel.h"

/* Thesis 4.1.2: scanned to 64 x 32, pruned to full half-warps and width >= 14; the transposing ones were
 * squares. `known`: the thesis's winners (table 4.1); with early exit those of the flux kernels, which must
 * have the same blocks. */
#define CELL_SIDES .w = {{4, 4, 64}, {96, 32, 128}}, .h = {1, 2, 4, 6, 8, 12, 16, 24, 32}
#define CELL_RULES .prune = {.min_w = 14, .threads_multiple = 16}
#define CELLS_GPU                                                               \
    {                                                                           \
        CELL_SIDES, .known = {{16, 16}, {64, 2}, {32, 6}, {32, 14}}, CELL_RULES \
    }
#define LISTED_GPU                                            \
    {                                                         \
        CELL_SIDES, .known = {{16, 13}, {32, 10}}, CELL_RULES \
    }
#define SRK_GPU                                                      \
    {                                                                \
        CELL_SIDES, .known = {{32, 8}, {64, 2}, {64, 3}}, CELL_RULES \
    }
#define SQUARE_RULES .prune = {.threads_multiple = 16, .square = 1}
#define SQUARES_GPU                                                          \
    {                                                                        \
        .w = {{4, 4, 64}}, .h = {4, 8, 12, 16, 20, 24, 28, 32}, SQUARE_RULES \
    }
#define CELLS_CPU                                         \
    {                                                     \
        .w = {{16, 0, 1024}}, .h = { 1, 2, 4, 8, 16, 32 } \
    }

/* A run integrates in place in some substeps; when the tuner launches, `to` is always elsewhere. Both move the
 * same number of bytes. */
static const struct argument_places arguments = {
    .prefix = "",
    .bytes = sizeof(struct rk_args),
    .pitch = offsetof(struct rk_args, pitch),
    .wet = offsetof(struct rk_args, wet),
    .clock = offsetof(struct rk_args, clock),
    .in = {offsetof(struct rk_args, from), offsetof(struct rk_args, base),
           offsetof(struct rk_args, r), offsetof(struct rk_args, r2)},
    .rate = offsetof(struct rk_args, r),
    .out = offsetof(struct rk_args, to),
    .turns = offsetof(struct rk_args, transpose),
    .out_pitch = offsetof(struct rk_args, to_pitch),
    .counters = offsetof(struct rk_args, counters),
    .keeps = 1,
};

#define KERNEL_OF(kernel, family, exits, turning, what, moved, cpu_w, cpu_h, gpu_w, gpu_h,         \
                  gpu_space)                                                                       \
    {                                                                                              \
        .name = kernel, .stem = family, .file = "rk.cu", .defines = what, .tuned = 1,              \
        .takes = &arguments, .pushes = 1, .map = KEEPS_THE_MAP, .turns = turning, .listed = exits, \
        .reals = moved, .block = {[CPU] = {cpu_w, cpu_h}, [CUDA] = {gpu_w, gpu_h}},                \
        .space = {[CPU] = CELLS_CPU, [CUDA] = gpu_space},                                          \
    }

extern const struct kernel kernels_rk[];
const struct kernel kernels_rk[] = {
    KERNEL_OF("rk0", "rk", 0, 0, "SUBSTEP=0", 10, 1024, 1, 64, 4, CELLS_GPU),
    KERNEL_OF("rk1", "rk", 0, 0, "SUBSTEP=1", 13, 1024, 1, 64, 4, CELLS_GPU),
    KERNEL_OF("rk0_ee", "rk", 1, 0, "SUBSTEP=0 EARLY_EXIT=1", 10, 128, 16, 32, 8, LISTED_GPU),
    KERNEL_OF("rk1_ee", "rk", 1, 0, "SUBSTEP=1 EARLY_EXIT=1", 13, 128, 16, 32, 8, LISTED_GPU),
    KERNEL_OF("srk0", "srk", 0, 0, "SUBSTEP=0 RATES=2", 13, 1024, 1, 64, 4, SRK_GPU),
    KERNEL_OF("srk1", "srk", 0, 0, "SUBSTEP=1 RATES=2", 16, 1024, 1, 64, 4, SRK_GPU),
    KERNEL_OF("rkt_x0", "rkt", 0, 1, "SUBSTEP=0 TRANSPOSING=1", 10, 32, 32, 32, 8, SQUARES_GPU),
    KERNEL_OF("rkt_x1", "rkt", 0, 1, "SUBSTEP=1 TRANSPOSING=1", 13, 32, 32, 32, 8, SQUARES_GPU),
    KERNEL_OF("rkt_y0", "rkt", 0, 1, "SUBSTEP=0 TRANSPOSING=1 TRANSPOSED=1", 10, 32, 32, 32, 8,
              SQUARES_GPU),
    KERNEL_OF("rkt_y1", "rkt", 0, 1, "SUBSTEP=1 TRANSPOSING=1 TRANSPOSED=1", 13, 32, 32, 32, 8,
              SQUARES_GPU),
    {.name = 0},
};
