/* The tile-phase language: one kernel text, compiled for CUDA, for vector CPUs, and as threads in
 * fibres. README.md beside this file explains it with a complete kernel.
 *
 * The recipe defines BW and BH (the block's cells), PRECISION (32 or 64), FAST in fast mode, and
 * for the debug modes EMULATE (1: threads in reversed order, 2: shuffled). */
#ifndef SHOAL_TILE_H
#define SHOAL_TILE_H

#include "real.h"

/* The cells that the blocks of a launch cover. Every kernel's arguments begin with one. */
struct span {
    int nx, ny;
};

#define X0       (block_x * BW) /* the block's first cell */
#define Y0       (block_y * BH)
#define BLOCKS_X ((a.span.nx + BW - 1) / BW)
#define BLOCK_ID (block_y * BLOCKS_X + block_x)
#define CELLS_X  (a.span.nx - X0 < BW ? a.span.nx - X0 : BW) /* fewer in the last block */
#define CELLS_Y  (a.span.ny - Y0 < BH ? a.span.ny - Y0 : BH)
#ifdef TILED
#include "tiling.h"
#undef Y0
#undef BLOCKS_X
#undef BLOCK_ID
#undef CELLS_X
#undef CELLS_Y
/* A block's rows: of a kernel by rows the host chooses them for each launch (rows.h). */
#define ROWS_IN         BH
#define FIRST_ROW(t, y) ((y)*BH)
#define TILE_Y0         FIRST_ROW(tiling, block_y) /* the block's first row in its tile */
#define Y0              (here.slot * tiling.rows + TILE_Y0)
#define BLOCKS_X        tiling.across
#define BLOCK_ID        ((here.slot * tiling.up + block_y) * tiling.across + block_x)
#define CELLS_X         (here.nx - X0 < BW ? here.nx - X0 : BW)
#define CELLS_Y         (here.ny - TILE_Y0 < ROWS_IN ? here.ny - TILE_Y0 : ROWS_IN)
/* Turns block x of all tiles, one tile after the other, into a block of its tile; returns where there is no
 * such tile, or it is smaller. */
#define FIND_TILE(all, x)                                                   \
    const int tile_k = slot_listed(&(all).tiling, x / (all).tiling.across); \
    if (tile_k < 0)                                                         \
        return;                                                             \
    const struct tile_place here = (all).tiling.place[tile_k];              \
    x %= (all).tiling.across;                                               \
    if (x * BW >= here.nx || FIRST_ROW((all).tiling, y) >= here.ny)         \
    return
/* Kernels that write states record in which blocks something may change. */
#define KEEPS_MAP (TILED > 1)
#endif /* TILED */
#ifndef BLOCK_THREADS
#define BLOCK_THREADS (BW * BH)
#endif
#define NO_TILES   \
    TILES          \
    {              \
        char none; \
    }
#define TILES struct tiles

/* A launch may visit its blocks along diagonals, so that blocks that run together write to
 * different columns of a transposed array (Ruetsch and Micikevicius 2009; thesis 3.1.2). */
#ifndef DIAGONAL
#define DIAGONAL 0
#endif

#ifndef KERNEL_NAME
#define KERNEL_NAME shoal_kernel /* the recipe's: what profilers show */
#endif

/* What a multiprocessor can hold at once. */
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ == 750
#define SM_THREADS 1024
#define SM_BLOCKS  16
#elif __CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870
#define SM_THREADS 1536
#define SM_BLOCKS  16
#elif __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200
#define SM_THREADS 1536
#define SM_BLOCKS  24
#else
#define SM_THREADS 2048
#define SM_BLOCKS  32
#endif
#endif

/* Blocks that must fit on a multiprocessor at once: the more, the fewer registers a thread has. These kernels
 * wait for memory and for divisions, so in f32 more threads are faster (by 7 % on an H200): all that fit in
 * fast mode, three quarters in strict mode, where the rest would spill. */
#if defined(__CUDA_ARCH__) && !defined(MIN_BLOCKS)
#if PRECISION == 64
#define WANTED_THREADS WARP_THREADS
#elif EARLY_EXIT /* the loop over the list takes registers */
#define WANTED_THREADS (SM_THREADS / 2)
#elif defined(FAST)
#define WANTED_THREADS SM_THREADS
#else
#define WANTED_THREADS (SM_THREADS * 3 / 4)
#endif
#define WARP_THREADS  ((BLOCK_THREADS + 31) / 32 * 32) /* idle lanes take up room, too */
#define WANTED_BLOCKS (WANTED_THREADS / WARP_THREADS ? WANTED_THREADS / WARP_THREADS : 1)
#define MIN_BLOCKS    (WANTED_BLOCKS < SM_BLOCKS ? WANTED_BLOCKS : SM_BLOCKS)
#endif

/* Kernels with early exit are launched with as many blocks as the device holds; each takes blocks from the
 * list of those to compute. (A CPU checks every block and skips the others.) */
#ifndef EARLY_EXIT
#define EARLY_EXIT 0
#endif
#if EARLY_EXIT
#define FOR_LISTED(id, a)                                                              \
    for (int n = (int)blockIdx.x, id = 0; n < *a.wet.count && (id = a.wet.list[n], 1); \
         n += (int)gridDim.x)
#else
#define FOR_LISTED(id, a) for (int id = 0; id < 0; id++)
#endif

#if defined(__CUDACC__)

#define THREAD ((int)(threadIdx.y * BW + threadIdx.x))
#define SYNC   __syncthreads()
/* Launch bounds: left to itself the assembler holds f64 kernels to 64 registers a thread and spills;
 * asking for one block per multiprocessor, and no more, stops that. f32 kernels fit. */
#define KERNEL(name, type)                                                                 \
    static __device__ __forceinline__ void body(const type &a, const int block_x,          \
                                                const int block_y, struct tiles *const t); \
    extern "C" {                                                                           \
    __device__ unsigned shoal_sizes[2] = {sizeof(struct tiles), sizeof(type)};             \
    __global__ void __launch_bounds__(BLOCK_THREADS, MIN_BLOCKS)                           \
        KERNEL_NAME(const __grid_constant__ type a)                                        \
    {                                                                                      \
        extern __shared__ __align__(16) unsigned char arena[];                             \
        int x = (int)blockIdx.x, y = (int)blockIdx.y;                                      \
        if (DIAGONAL) {                                                                    \
            const int gx = (int)gridDim.x, gy = (int)gridDim.y, id = x + gx * y;           \
            y = id % gy;                                                                   \
            x = (id / gy + y) % gx;                                                        \
        }                                                                                  \
        if (!EARLY_EXIT)                                                                   \
            body(a, x, y, (struct tiles *)arena);                                          \
        else                                                                               \
            FOR_LISTED(id, a)                                                              \
            {                                                                              \
                body(a, id % BLOCKS_X, id / BLOCKS_X, (struct tiles *)arena);              \
                __syncthreads();                                                           \
            }                                                                              \
    }                                                                                      \
    }                                                                                      \
    static __device__ __forceinline__ void body(const type &a, const int block_x,          \
                                                const int block_y, struct tiles *const t)

#elif defined(EMULATE)

#define THREAD thread
#define SYNC   barrier()
#define KERNEL(name, type)                                                                      \
    struct arena {                                                                              \
        struct tiles tiles;                                                                     \
        bits shared;                                                                            \
    };                                                                                          \
    const unsigned shoal_sizes[2] = {sizeof(struct arena), sizeof(type)};                       \
    static void body(const type a, const int block_x, const int block_y, struct tiles *const t, \
                     const int thread, void (*const barrier)(void));                            \
    void shoal_thread(const void *args, int block_x, int block_y, void *arena, int thread,      \
                      void (*barrier)(void));                                                   \
    void shoal_thread(const void *args, int block_x, int block_y, void *arena, int thread,      \
                      void (*barrier)(void))                                                    \
    {                                                                                           \
        body(*(const type *)args, block_x, block_y, (struct tiles *)arena, thread, barrier);    \
    }                                                                                           \
    static void body(const type a, const int block_x, const int block_y, struct tiles *const t, \
                     const int thread, void (*const barrier)(void))

#else

#define SYNC ((void)0)
#define KERNEL(name, type)                                                                   \
    const unsigned shoal_sizes[2] = {sizeof(struct tiles), sizeof(type)};                    \
    static inline __attribute__((always_inline)) void body(                                  \
        const type a, const int block_x, const int block_y, struct tiles *const restrict t); \
    void shoal_block(const void *args, int block_x, int block_y, void *arena);               \
    void shoal_block(const void *args, int block_x, int block_y, void *arena)                \
    {                                                                                        \
        body(*(const type *)args, block_x, block_y, (struct tiles *)arena);                  \
    }                                                                                        \
    static inline __attribute__((always_inline)) void body(                                  \
        const type a, const int block_x, const int block_y, struct tiles *const restrict t)

#endif

#ifdef TILED
#undef KERNEL
#define TILED_BODY(type)      \
    struct tiled_args {       \
        type args;            \
        struct tiling tiling; \
    };
#if defined(__CUDACC__)
#define BODY(type)                                                                               \
    static __device__ __forceinline__ void body(const type &a, const struct tiling &tiling,      \
                                                const struct tile_place here, const int block_x, \
                                                const int block_y, struct tiles *const t)
#define KERNEL(name, type)                                                                  \
    TILED_BODY(type)                                                                        \
    BODY(type);                                                                             \
    extern "C" {                                                                            \
    __device__ unsigned shoal_sizes[2] = {sizeof(struct tiles), sizeof(struct tiled_args)}; \
    __global__ void __launch_bounds__(BLOCK_THREADS, MIN_BLOCKS)                            \
        KERNEL_NAME(const __grid_constant__ struct tiled_args all)                          \
    {                                                                                       \
        extern __shared__ __align__(16) unsigned char arena[];                              \
        int x = (int)blockIdx.x, y = (int)blockIdx.y;                                       \
        FIND_TILE(all, x);                                                                  \
        body(all.args, all.tiling, here, x, y, (struct tiles *)arena);                      \
    }                                                                                       \
    }                                                                                       \
    BODY(type)
#elif defined(EMULATE)
#define BODY(type)                                                                           \
    static void body(const type a, const struct tiling tiling, const struct tile_place here, \
                     const int block_x, const int block_y, struct tiles *const t,            \
                     const int thread, void (*const barrier)(void))
#define KERNEL(name, type)                                                                \
    TILED_BODY(type)                                                                      \
    struct arena {                                                                        \
        struct tiles tiles;                                                               \
        bits shared;                                                                      \
    };                                                                                    \
    const unsigned shoal_sizes[2] = {sizeof(struct arena), sizeof(struct tiled_args)};    \
    BODY(type);                                                                           \
    void shoal_thread(const void *args, int x, int y, void *arena, int thread,            \
                      void (*barrier)(void));                                             \
    void shoal_thread(const void *args, int x, int y, void *arena, int thread,            \
                      void (*barrier)(void))                                              \
    {                                                                                     \
        const struct tiled_args *const all = (const struct tiled_args *)args;             \
        FIND_TILE(*all, x);                                                               \
        body(all->args, all->tiling, here, x, y, (struct tiles *)arena, thread, barrier); \
    }                                                                                     \
    BODY(type)
#else
#define BODY(type)                                                                                 \
    static inline __attribute__((always_inline)) void body(                                        \
        const type a, const struct tiling tiling, const struct tile_place here, const int block_x, \
        const int block_y, struct tiles *const restrict t)
#define KERNEL(name, type)                                                             \
    TILED_BODY(type)                                                                   \
    const unsigned shoal_sizes[2] = {sizeof(struct tiles), sizeof(struct tiled_args)}; \
    BODY(type);                                                                        \
    void shoal_block(const void *args, int x, int y, void *arena);                     \
    void shoal_block(const void *args, int x, int y, void *arena)                      \
    {                                                                                  \
        const struct tiled_args *const all = (const struct tiled_args *)args;          \
        FIND_TILE(*all, x);                                                            \
        body(all->args, all->tiling, here, x, y, (struct tiles *)arena);               \
    }                                                                                  \
    BODY(type)
#endif
#endif /* TILED */
#ifdef MEETING
#include "kernel_with_more.h"
#endif /* MEETING */
/* UNROLL(n) before a loop that waits for memory lets the device have n loads under way; UNROLL(1)
 * keeps the code of a loop that seldom runs small. */
#if defined(__CUDACC__)
#define PRAGMA(text) _Pragma(#text)
#define UNROLL(n)    PRAGMA(unroll n)
#else
#define UNROLL(n)
#endif

/* Every compiled kernel states in shoal_sizes how much tile memory a block needs and how long its argument
 * is: a host built before an edit of kernels/args.h must not launch it. */

/* FOR_TILE(i, j, ex, ey): i and j run over the block's cells inside the domain plus ex columns and
 * ey rows. FOR_TRANSPOSED: the same, but j runs fastest, so that neighbouring threads touch
 * neighbouring memory where the array is stored transposed. FOR_SPAN(k, n): k runs over
 * 0..n-1. Iterations of one phase must not depend on each other; what another iteration wrote is
 * visible after SYNC. */
#if defined(__CUDACC__) || defined(EMULATE)

#if defined(EMULATE) && EMULATE == 1
#define STRIDED(k, n)                                                       \
    for (int k = ((n)-1 - THREAD) / BLOCK_THREADS * BLOCK_THREADS + THREAD; \
         k >= 0 && THREAD < (n); k -= BLOCK_THREADS)
#else
#define STRIDED(k, n) for (int k = THREAD; k < (n); k += BLOCK_THREADS)
#endif
#define FOR_SPAN(k, n) STRIDED(k, n)
#define FOR_TILE(i, j, ex, ey)                                             \
    STRIDED(tile_k, (BW + (ex)) * (BH + (ey)))                             \
    for (int i = tile_k % (BW + (ex)), j = tile_k / (BW + (ex)), once = 1; \
         once && i < a.span.nx - X0 + (ex) && j < a.span.ny - Y0 + (ey); once = 0)
#define FOR_TRANSPOSED(i, j, ex, ey)                                       \
    STRIDED(tile_k, (BW + (ex)) * (BH + (ey)))                             \
    for (int i = tile_k / (BH + (ey)), j = tile_k % (BH + (ey)), once = 1; \
         once && i < a.span.nx - X0 + (ex) && j < a.span.ny - Y0 + (ey); once = 0)

#ifdef TILED
#undef FOR_TILE
#undef FOR_TRANSPOSED
#define FOR_TILE(i, j, ex, ey)                                             \
    STRIDED(tile_k, (BW + (ex)) * (BH + (ey)))                             \
    for (int i = tile_k % (BW + (ex)), j = tile_k / (BW + (ex)), once = 1; \
         once && i < here.nx - X0 + (ex) && j < here.ny - TILE_Y0 + (ey); once = 0)
#define FOR_TRANSPOSED(i, j, ex, ey)                                       \
    STRIDED(tile_k, (BW + (ex)) * (BH + (ey)))                             \
    for (int i = tile_k / (BH + (ey)), j = tile_k % (BH + (ey)), once = 1; \
         once && i < here.nx - X0 + (ex) && j < here.ny - TILE_Y0 + (ey); once = 0)
#endif /* TILED */
#else

#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif
#define FOR_SPAN(k, n) for (int k = 0; k < (n); k++)
#define FOR_TILE(i, j, ex, ey)                                                         \
    for (int j = 0, tile_w = CELLS_X + (ex), tile_h = CELLS_Y + (ey); j < tile_h; j++) \
    INDEPENDENT for (int i = 0; i < tile_w; i++)
#define FOR_TRANSPOSED(i, j, ex, ey)                                                   \
    for (int i = 0, tile_w = CELLS_X + (ex), tile_h = CELLS_Y + (ey); i < tile_w; i++) \
    INDEPENDENT for (int j = 0; j < tile_h; j++)

#endif

/* The largest of many non-negative values of a block, in two steps: MAX_LANES(m) before the phases declares it,
 * TAKE_MAX(m, lane, x) inside a phase takes a value (lane: any number from 0 to BW, preferably the column: it
 * is a vector lane on a CPU), BLOCK_MAX(dst, m) after the phases stores the pattern of the block's maximum. A
 * maximum over all blocks is a one-block kernel over those. ANY(m) tells without a barrier whether this thread
 * (on a CPU: the block) took anything but zero. */
FN bits max_bits(bits a, bits b)
{
    return a > b ? a : b;
}

#if defined(__CUDACC__)

/* The largest m of the first `lanes` lanes of a warp, in its first lane. */
static __device__ __forceinline__ bits warp_max(bits m, int lane, int lanes)
{
    const unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
    (void)lane;
#if PRECISION == 32 && __CUDA_ARCH__ >= 800
    return __reduce_max_sync(mask, m);
#else
    for (int d = 16; d > 0; d /= 2) {
        const bits other = __shfl_down_sync(mask, m, d);
        m = lane + d < lanes ? max_bits(m, other) : m;
    }
    return m;
#endif
}

#define MAX_LANES(m)         bits m = 0
#define TAKE_MAX(m, lane, x) m = max_bits(m, bits_of(x))
#define ANY(m)               ((m) != 0)
#define BLOCK_MAX(dst, m)    block_max(&(dst), m, THREAD)

static __device__ __forceinline__ void block_max(bits *dst, bits m, int thread)
{
    __shared__ bits of_warp[32];
    const int warps = (BLOCK_THREADS + 31) / 32, warp = thread / 32, lane = thread % 32;
    const int lanes = warp == warps - 1 ? BLOCK_THREADS - 32 * (warps - 1) : 32;
    m = warp_max(m, lane, lanes);
    __syncthreads();
    if (lane == 0)
        of_warp[warp] = m;
    __syncthreads();
    if (thread == 0) {
        for (int k = 1; k < warps; k++)
            m = max_bits(m, of_warp[k]);
        *dst = m;
    }
}

#elif defined(EMULATE)

#define MAX_LANES(m)         bits m = 0
#define TAKE_MAX(m, lane, x) m = max_bits(m, bits_of(x))
#define ANY(m)               ((m) != 0)
#define BLOCK_MAX(dst, m)                                  \
    do {                                                   \
        bits *const shared = &((struct arena *)t)->shared; \
        SYNC;                                              \
        if (THREAD == 0)                                   \
            *shared = 0;                                   \
        SYNC;                                              \
        *shared = max_bits(*shared, m);                    \
        SYNC;                                              \
        if (THREAD == 0)                                   \
            (dst) = *shared;                               \
    } while (0)

#else

#define MAX_LANES(m)         bits m[BW + 1] = {0}
#define TAKE_MAX(m, lane, x) m[lane] = max_bits(m[lane], bits_of(x))
#define ANY(m)               (max_lane(m) != 0)
#define BLOCK_MAX(dst, m)    (dst) = max_lane(m)

FN bits max_lane(const bits *m)
{
    bits most = 0;
    for (int lane = 0; lane <= BW; lane++)
        most = max_bits(most, m[lane]);
    return most;
}

#endif

/* One thread of the block runs it. */
#if defined(__CUDACC__) || defined(EMULATE)
#define ONCE if (THREAD == 0)
#else
#define ONCE
#endif

/* The next number of a counter, for one thread: 0, 1, 2, ... in no particular order. */
FN int TICKET(int *c)
{
#ifdef __CUDACC__
    return atomicAdd(c, 1);
#else
    return __atomic_fetch_add(c, 1, __ATOMIC_RELAXED);
#endif
}

/* Sums over the whole domain must not depend on the order of the terms: they are integers. COUNT adds n units,
 * rounded to the nearest, to a counter shared by all blocks; it ignores a NaN and values that no counter holds,
 * which each processor converts differently. */
typedef unsigned long counter;

FN void COUNT(counter *c, real n)
{
    if (n >= REAL(0.5) && n < REAL(0x1p62)) {
        const counter units = (counter)(n + REAL(0.5));
#ifdef __CUDACC__
        atomicAdd((unsigned long long *)c, (unsigned long long)units);
#else
        __atomic_fetch_add(c, units, __ATOMIC_RELAXED);
#endif
    }
}

#endif
