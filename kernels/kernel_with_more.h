/* The language's KERNEL where a kernel gets a second struct behind its arguments: struct MORE, which its text calls
 * MORE. tile.h includes it for those that meet other parts (meeting.h), own_ghosts.h for its own. */
#ifndef SHOAL_KERNEL_WITH_MORE_H
#define SHOAL_KERNEL_WITH_MORE_H

#ifndef MORE
#define MORE meeting
#endif

/* What block (x, y) does before its body; this sees the block as (x, row), and these arguments. */
#ifndef PREPARE
#define PREPARE(all, x, y) const int row = (y)
#define PREPARED(all)      (all)->args
#endif

#undef KERNEL
#define BODY_WITH_MORE(type) \
    struct all_args {        \
        type args;           \
        struct MORE MORE;    \
    };
#if defined(__CUDACC__)
#define BODY(type)                                                                      \
    static __device__ __forceinline__ void body(const type &a, const struct MORE &MORE, \
                                                const int block_x, const int block_y,   \
                                                struct tiles *const t)
#define KERNEL(name, type)                                                                \
    BODY_WITH_MORE(type)                                                                  \
    BODY(type);                                                                           \
    extern "C" {                                                                          \
    __device__ unsigned shoal_sizes[2] = {sizeof(struct tiles), sizeof(struct all_args)}; \
    __global__ void __launch_bounds__(BLOCK_THREADS, MIN_BLOCKS)                          \
        KERNEL_NAME(const __grid_constant__ struct all_args all)                          \
    {                                                                                     \
        extern __shared__ __align__(16) unsigned char arena[];                            \
        const int x = (int)blockIdx.x, y = (int)blockIdx.y;                               \
        PREPARE(&all, x, y);                                                              \
        body(PREPARED(&all), all.MORE, x, row, (struct tiles *)arena);                    \
    }                                                                                     \
    }                                                                                     \
    BODY(type)
#elif defined(EMULATE)
#define BODY(type)                                                                               \
    static void body(const type a, const struct MORE MORE, const int block_x, const int block_y, \
                     struct tiles *const t, const int thread, void (*const barrier)(void))
#define KERNEL(name, type)                                                              \
    BODY_WITH_MORE(type)                                                                \
    struct arena {                                                                      \
        struct tiles tiles;                                                             \
        bits shared;                                                                    \
    };                                                                                  \
    const unsigned shoal_sizes[2] = {sizeof(struct arena), sizeof(struct all_args)};    \
    BODY(type);                                                                         \
    void shoal_thread(const void *args, int x, int y, void *arena, int thread,          \
                      void (*barrier)(void));                                           \
    void shoal_thread(const void *args, int x, int y, void *arena, int thread,          \
                      void (*barrier)(void))                                            \
    {                                                                                   \
        const struct all_args *const all = (const struct all_args *)args;               \
        PREPARE(all, x, y);                                                             \
        body(PREPARED(all), all->MORE, x, row, (struct tiles *)arena, thread, barrier); \
    }                                                                                   \
    BODY(type)
#else
#define BODY(type)                                                                               \
    static inline __attribute__((always_inline)) void body(const type a, const struct MORE MORE, \
                                                           const int block_x, const int block_y, \
                                                           struct tiles *const restrict t)
#define KERNEL(name, type)                                                           \
    BODY_WITH_MORE(type)                                                             \
    const unsigned shoal_sizes[2] = {sizeof(struct tiles), sizeof(struct all_args)}; \
    BODY(type);                                                                      \
    void shoal_block(const void *args, int x, int y, void *arena);                   \
    void shoal_block(const void *args, int x, int y, void *arena)                    \
    {                                                                                \
        const struct all_args *const all = (const struct all_args *)args;            \
        PREPARE(all, x, y);                                                          \
        body(PREPARED(all), all->MORE, x, row, (struct tiles *)arena);               \
    }                                                                                \
    BODY(type)
#endif

#endif
