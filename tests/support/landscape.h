/* Made-up times of blocks, with the structure of stencil kernels' times on GPUs: extra cells
 * that are loaded around the block, idle lanes of the last warp, partly used sectors of memory,
 * too few warps to hide latency, too little shared memory. */
#ifndef SHOAL_TEST_LANDSCAPE_H
#define SHOAL_TEST_LANDSCAPE_H

#include <math.h>

#include "kernels/kernel.h"

struct landscape {
    int around_w, around_h; /* extra cells along each side of a tile */
    int arrays;             /* of the tile, in shared memory */
    int registers;          /* per thread */
    int turned;             /* writes columns of the array */
    double compute, memory; /* shares of the time */
    double hides;           /* the share of a multiprocessor's warps that hides all latency */
    double start, barrier;  /* costs of starting a block, of few blocks waiting at a barrier */
    double ripple;          /* unexplained share, equal for equal blocks */
    unsigned seed;
};

/* Between 0 and 1, the same for the same numbers. */
static inline double landscape_chance(unsigned seed, unsigned a, unsigned b)
{
    unsigned x = seed * 0x9e3779b9u ^ a * 0x85ebca6bu ^ b * 0xc2b2ae35u;
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return (x ^ (x >> 16)) / 4294967296.0;
}

/* Cells fetched for each cell used: sectors of 8 cells, one more if a row does not begin at a
 * sector. */
static inline double landscape_sectors(int cells, int used)
{
    const double whole = ceil(cells / 8.0) + (cells % 8 || cells != used ? 1 : 0);
    return 8 * whole / used;
}

/* us; INFINITY if the block cannot run. */
static inline double landscape_time(const struct landscape *l, struct block b)
{
    const int threads = b.w * b.h, warps = (threads + 31) / 32;
    const int tile_w = b.w + l->around_w, tile_h = b.h + l->around_h;
    const double bytes = 4.0 * l->arrays * tile_w * tile_h;
    if (threads > 1024 || bytes > 227 * 1024 || warps * 32 * l->registers > 65536)
        return (double)INFINITY;
    double blocks = fmin(32, floor(64.0 / warps));
    blocks = fmin(blocks, floor(65536.0 / (warps * 32 * l->registers)));
    blocks = fmin(blocks, floor(228 * 1024.0 / (bytes + 1024)));
    const double occupancy = blocks * warps / 64;
    const double cells = (double)tile_w * tile_h / threads;
    const double lanes = 32.0 * warps / threads;
    double fetched = landscape_sectors(tile_w, b.w) * tile_h / b.h;
    if (l->turned)
        fetched = 0.5 * (fetched + landscape_sectors(b.h, b.h));
    const double waits = fmax(1, pow(l->hides / occupancy, 0.8));
    const double busy = fmax(l->compute * cells * lanes, l->memory * (0.6 + 0.4 * fetched)) +
                        0.3 * fmin(l->compute * cells * lanes, l->memory * fetched);
    const double extra = 1 + l->start / threads + l->barrier / blocks;
    const double odd = landscape_chance(l->seed, (unsigned)b.w, (unsigned)b.h) - 0.5;
    return 1000 * busy * waits * extra * (1 + l->ripple * odd);
}

/* One of many kernels of a family on one of many devices. */
static inline struct landscape landscape_of(const struct kernel *k, unsigned seed)
{
    const int flux = k->plugins, turned = k->stem[0] == 'r' && k->stem[2] == 't';
    const int line = flux && (k->stem[6] == 'x' || (k->stem[6] == 'y' && k->stem[7] == '\0'));
    const double r[6] = {landscape_chance(seed, 1, 0), landscape_chance(seed, 2, 0),
                         landscape_chance(seed, 3, 0), landscape_chance(seed, 4, 0),
                         landscape_chance(seed, 5, 0), landscape_chance(seed, 6, 0)};
    return (struct landscape){.around_w = flux ? 4 : 0,
                              .around_h = flux && !line ? 4 : 0,
                              .arrays = flux     ? 6 + (int)(6 * r[0])
                                        : turned ? 3
                                                 : 0,
                              .registers = 24 + 8 * (int)(6 * r[1]),
                              .turned = turned,
                              .compute = flux ? 0.4 + r[2] : 0.1 + 0.3 * r[2],
                              .memory = 1,
                              .hides = 0.3 + 0.6 * r[3],
                              .start = 5 + 40 * r[4],
                              .barrier = flux ? 0.3 * r[5] : 0.05 * r[5],
                              .ripple = 0.04,
                              .seed = seed};
}

/* The costs of marching over rows: on a GPU idle lanes, rows loaded twice, too few warps to
 * occupy 132 multiprocessors; on a CPU columns and rows computed twice, and a cache that must
 * hold the kept rows. */
struct march {
    enum backend_kind backend;
    unsigned seed;
    double cells, reach; /* along a side; rows needed before the first can be finished */
};

static inline double march_time(const struct march *m, struct block b)
{
    const double odd = landscape_chance(m->seed, (unsigned)b.w, (unsigned)b.h) - 0.5;
    const double twice = (b.w + 4.0) / b.w * (b.h + m->reach) / b.h;
    const double warps = m->cells / b.w * m->cells / b.h;
    const double spilt = m->backend == CPU ? fmax(0, log2(b.w / (100.0 + 10 * m->seed))) : 0;
    const double idle = m->backend == CUDA ? fmax(1, 132 * 24 / warps) : 1;
    const double wide = m->backend == CUDA ? 1 + 0.2 * (b.w > 60) : 1 + 8.0 / b.w;
    return 100 * twice * idle * wide * (1 + 0.3 * spilt) * (1 + 0.02 * odd);
}

#endif
