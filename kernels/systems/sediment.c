/* Two sediments that spread over a basin: h is the height of its floor, s the share of sand in the layer that
 * moves, 1 - s that of mud. Rivenaes 1993 and 2007; Su et al. 2013, eqs. (1) and (2). */
#include "kernels/host_args.h"
#include "kernels/kernel.h"
#include "kernels/system.h"
#include "kernels/systems/sediment.h"

extern const struct system system_sediment;
const struct system system_sediment = {
    .name = "sediment",
    .title = "sand and mud that spread over a basin",
    .cite = "Rivenaes 1993; Su et al. 2013",
    .scheme = "basin_cons",
    .tuned_on = "basin-hills",
    .supplied = "basin_edges",
    .precision = F64,
    .unknown =
        {{.name = "h", .mirror_x = 1, .mirror_y = 1, .exchanged = 0},
         {.name = "s", .mirror_x = 1, .mirror_y = 1, .exchanged = 1, .option = "sand", .high = 1}},
    .unknowns = 2,
    .variable = {{.name = "h", .title = "height of the basin's floor", .units = "m", .of = 0},
                 {.name = "s", .title = "share of sand", .units = "1", .of = 1}},
    .variables = 2,
    .conserved = {{.name = "volume", .title = "volume of sediment above h = 0", .units = "m3"},
                  {.name = "sand", .title = "sand in layer and floor", .units = "m3", .booked = 3}},
    .conserveds = 2,
    .given = {{.name = "alpha", .title = "diffusion coefficient of sand", .units = "m2/s"},
              {.name = "beta", .title = "diffusion coefficient of mud", .units = "m2/s"}},
    .givens = 2,
    .constant =
        {{.name = "compaction", .title = "compaction ratio of sand", .units = "", .usual = 1},
         {.name = "compaction", .title = "compaction ratio of mud", .units = "", .usual = 1},
         {.name = "layer", .title = "thickness of the layer that moves", .units = "m"}},
    .constants = 3,
};

/* Threads read rows of eight bytes a cell, so widths of whole warps are best; the higher a block, the fewer rows
 * it shares with others, and the fewer blocks add up what they book. */
#define CELLS_GPU                                                                    \
    {                                                                                \
        .w = {{16, 16, 64}, {96, 32, 256}}, .h = {4, 8, 12, 16, 20, 24, 32, 48, 64}, \
        .known = {{32, 16}, {32, 32}, {64, 16}}, .prune = {                          \
            .min_w = 32,                                                             \
            .threads_multiple = 32                                                   \
        }                                                                            \
    }
#define CELLS_CPU                                         \
    {                                                     \
        .w = {{16, 0, 1024}}, .h = { 1, 2, 4, 8, 16, 32 } \
    }

#define AT(member) offsetof(struct sediment_args, member)
#define STEP                                                                              \
    .prefix = "", .bytes = sizeof(struct sediment_args), .pitch = AT(pitch), .single = 1, \
    .clock = AT(clock), .in[0] = AT(h), .in[1] = AT(s)
#define LIMITED .speeds = AT(block_speed)
#define BOOKED  .booked = AT(booked), .excess = AT(excess), .away = AT(away)
#define OF_BOTH .in[2] = AT(alpha), .in[3] = AT(beta)
#define HEIGHT  STEP, OF_BOTH, .out = AT(to_h), .outs = 1
#define SHARE   STEP, .in[2] = AT(alpha), .in[3] = AT(to_h), .out = AT(to_s), .outs = 1, .unknown = 1
#define WHOLE   STEP, OF_BOTH, .out = AT(to_h), .outs = 2
#define TAKEN   STEP, .in[2] = AT(to_h), .in[3] = AT(to_s), .out = AT(own_h), .outs = 2, BOOKED

static const struct argument_places height = {HEIGHT}, height_fixed = {HEIGHT, LIMITED},
                                    share = {SHARE}, share_booked = {SHARE, BOOKED},
                                    whole = {WHOLE}, whole_booked = {WHOLE, BOOKED},
                                    whole_fixed = {WHOLE, LIMITED, BOOKED},
                                    limit = {STEP, OF_BOTH, LIMITED}, taken = {TAKEN};

#define NO_PAIRS .define = "PAIRS=0" /* what runs with gauges launch */

/* On a GPU a thread computes four cells of a column: see STRIP in sediment.cu. */
#define KERNEL_OF(variant, what, moved, rows)                                                    \
    .name = variant, .stem = "basin", .file = "systems/sediment.cu", .defines = what " STRIP=4", \
    .strip = 4, .reals = moved, .block = {[CPU] = {1024, 8}, [CUDA] = {32, rows}}
#define TAKES(places) .tuned = 1, .takes = &(places)
#define TUNED(places) TAKES(places), .space = {[CPU] = CELLS_CPU, [CUDA] = CELLS_GPU}

/* On a GPU a warp computes 28 columns, with two more at each side: sediment_march.h. */
#define ONE_OF(variant, what)                                                      \
    .name = variant, .stem = "basin", .file = "systems/sediment.cu",               \
    .defines = "PART=BASIN_ONE BLOCK_THREADS=32 " what, .threads = 32, .reals = 6, \
    .block = {[CPU] = {256, 8}, [CUDA] = {28, 64}},                                \
    .space = {[CPU] = {.w = {{32, 0, 1024}}, .h = {1, 2, 4, 8, 16, 32}},           \
              [CUDA] = {.w = {{28, 32, 28}}, .h = {16, 24, 32, 48, 64, 96, 128, 192, 256}}}

/* Of the article's ladder: one thread a cell, or one more around each block (34 x 6). */
#define RUNG_OF(variant, what)                                                                    \
    .name = variant, .stem = "basin", .file = "systems/sediment.cu", .defines = what, .reals = 5, \
    .block = {[CPU] = {256, 8}, [CUDA] = {32, 4}}

extern const struct kernel kernels_sediment[];
const struct kernel kernels_sediment[] = {
    {KERNEL_OF("basin_h", "PART=BASIN_H", 5, 16), TUNED(height)},
    {KERNEL_OF("basin_s", "PART=BASIN_S", 5, 16), TUNED(share), NO_PAIRS},
    {KERNEL_OF("basin_cons", "PART=BASIN_CONS", 6, 16), TUNED(whole), NO_PAIRS},
    {KERNEL_OF("basin_limit", "PART=BASIN_LIMIT", 4, 16), TUNED(limit)},
    {KERNEL_OF("basin_take", "PART=BASIN_TAKE", 6, 16), TUNED(taken), NO_PAIRS},
    {KERNEL_OF("basin_h_fixed", "PART=BASIN_H LIMITS=1", 5, 16), TUNED(height_fixed)},
    {KERNEL_OF("basin_s_fixed", "PART=BASIN_S BOOKS=1", 5, 16),
     TUNED(share_booked)}, /* its limits are basin_h_fixed's */
    {KERNEL_OF("basin_cons_booked", "PART=BASIN_CONS BOOKS=1", 6, 16), TUNED(whole_booked)},
    {KERNEL_OF("basin_cons_fixed", "PART=BASIN_CONS LIMITS=1 BOOKS=1", 6, 16), TUNED(whole_fixed)},
    {ONE_OF("basin_one", ""), TAKES(whole), .define = "ONE_KERNEL=1,PAIRS=0"},
    {ONE_OF("basin_one_booked", "BOOKS=1"), TAKES(whole_booked), .define = "ONE_KERNEL=1"},
    {ONE_OF("basin_one_fixed", "LIMITS=1 BOOKS=1"), TAKES(whole_fixed), .define = "ONE_KERNEL=1"},
    {.name = "basin_home", /* few large blocks: nearly all of its launches do nothing */
     .stem = "basin",
     .file = "systems/sediment.cu",
     .defines = "PART=BASIN_HOME STRIP=64",
     .strip = 64,
     .reals = 4,
     .block = {[CPU] = {1024, 8}, [CUDA] = {256, 64}}},
    {RUNG_OF("basin_h_single", "PART=BASIN_H")},
    {RUNG_OF("basin_s_single", "PART=BASIN_S")},
    {RUNG_OF("basin_h_halo", "PART=BASIN_H PRODUCTS=1 BLOCK_THREADS=204"), .threads = 204},
    {RUNG_OF("basin_s_halo", "PART=BASIN_S PRODUCTS=1 BLOCK_THREADS=204"), .threads = 204},
    {.name = "basin_edges",
     .stem = "basin_edges",
     .file = "systems/sediment_edges.cu",
     .defines = "",
     .block = {[CPU] = {128, 1}, [CUDA] = {128, 1}}},
    {.name = 0},
};
