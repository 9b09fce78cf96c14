/* Two sediments that spread over a basin: h is the height of its floor, s the share of sand in what moves, 1 - s that of
 * mud. Rivenaes 1993 and 2007; Su et al. 2013, eqs. (1) and (2). */
#include "kernels/kernel.h"
#include "kernels/system.h"

extern const struct system system_sediment;
const struct system system_sediment = {
    .name = "sediment",
    .title = "sand and mud that spread over a basin",
    .cite = "Rivenaes 1993; Su et al. 2013",
    .scheme = "basin_cons",
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
                  {.name = "sand",
                   .title = "sand gained, in the layer and in the floor",
                   .units = "m3",
                   .booked = 3}},
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

#define VARIANT(variant, what, moved, rows)                                               \
    {                                                                                     \
        .name = variant, .stem = variant, .file = "systems/sediment.cu", .defines = what, \
        .reals = moved, .block = {                                                        \
            [CPU] = {256, 8},                                                             \
            [CUDA] = {32, rows}                                                           \
        }                                                                                 \
    }

/* With so many threads on a GPU for blocks of 32 x `rows` cells: one more around each block (34 x 6, as in the article), or
 * one for four points. */
#define LADDER(variant, what, threads_of, rows)                                           \
    {                                                                                     \
        .name = variant, .stem = variant, .file = "systems/sediment.cu", .defines = what, \
        .reals = 5, .threads = threads_of, .block = {                                     \
            [CPU] = {256, 8},                                                             \
            [CUDA] = {32, rows}                                                           \
        }                                                                                 \
    }

extern const struct kernel kernels_sediment[];
const struct kernel kernels_sediment[] = {
    VARIANT("basin_h", "PART=BASIN_H", 5, 4),
    VARIANT("basin_s", "PART=BASIN_S", 5, 4),
    VARIANT("basin_cons", "PART=BASIN_CONS", 6, 8),
    VARIANT("basin_limit", "PART=BASIN_LIMIT", 4, 8),
    VARIANT("basin_take", "PART=BASIN_TAKE", 6, 8),
    VARIANT("basin_h_fixed", "PART=BASIN_H LIMITS=1", 5, 4),
    VARIANT("basin_s_fixed", "PART=BASIN_S BOOKS=1", 5, 4),
    VARIANT("basin_one", "PART=BASIN_ONE", 6, 8),
    VARIANT("basin_one_fixed", "PART=BASIN_ONE LIMITS=1 BOOKS=1", 6, 8),
    VARIANT("basin_cons_fixed", "PART=BASIN_CONS LIMITS=1 BOOKS=1", 6, 8),
    VARIANT("basin_home", "PART=BASIN_HOME", 4, 8),
    LADDER("basin_h_halo", "PART=BASIN_H PRODUCTS=1 BLOCK_THREADS=204", 204, 4),
    LADDER("basin_s_halo", "PART=BASIN_S PRODUCTS=1 BLOCK_THREADS=204", 204, 4),
    LADDER("basin_h_points", "PART=BASIN_H BLOCK_THREADS=128", 128, 16),
    LADDER("basin_s_points", "PART=BASIN_S BLOCK_THREADS=128", 128, 16),
    {.name = "basin_edges",
     .stem = "basin_edges",
     .file = "systems/sediment_edges.cu",
     .defines = "",
     .block = {[CPU] = {128, 1}, [CUDA] = {128, 1}}},
    {.name = 0},
};
