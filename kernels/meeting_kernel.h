/* The language's KERNEL where a kernel gets a struct meeting behind its arguments (meeting.h). tile.h includes it. */
#ifndef SHOAL_MEETING_KERNEL_H
#define SHOAL_MEETING_KERNEL_H

#undef KERNEL
#define MEETING_BODY(type)      \
    struct meeting_args {       \
        type args;              \
        struct meeting meeting; \
    };
#if defined(__CUDACC__)
#define BODY(type)                                                                            \
    static __device__ __forceinline__ void body(const type &a, const struct meeting &meeting, \
                                                const int block_x, const int block_y,         \
                                                struct tiles *const t)
#define KERNEL(name, type)                                                                    \
    MEETING_BODY(type)                                                                        \
    BODY(type);                                                                               \
    extern "C" {                                                                              \
    __device__ unsigned shoal_sizes[2] = {sizeof(struct tiles), sizeof(struct meeting_args)}; \
    __global__ void __launch_bounds__(BLOCK_THREADS, MIN_BLOCKS)                              \
        KERNEL_NAME(const __grid_constant__ struct meeting_args all)                          \
    {                                                                                         \
        extern __shared__ __align__(16) unsigned char arena[];                                \
        body(all.args, all.meeting, (int)blockIdx.x, (int)blockIdx.y, (struct tiles *)arena); \
    }                                                                                         \
    }                                                                                         \
    BODY(type)
#elif defined(EMULATE)
#define BODY(type)                                                                  \
    static void body(const type a, const struct meeting meeting, const int block_x, \
                     const int block_y, struct tiles *const t, const int thread,    \
                     void (*const barrier)(void))
#define KERNEL(name, type)                                                               \
    MEETING_BODY(type)                                                                   \
    struct arena {                                                                       \
        struct tiles tiles;                                                              \
        bits shared;                                                                     \
    };                                                                                   \
    const unsigned shoal_sizes[2] = {sizeof(struct arena), sizeof(struct meeting_args)}; \
    BODY(type);                                                                          \
    void shoal_thread(const void *args, int x, int y, void *arena, int thread,           \
                      void (*barrier)(void));                                            \
    void shoal_thread(const void *args, int x, int y, void *arena, int thread,           \
                      void (*barrier)(void))                                             \
    {                                                                                    \
        const struct meeting_args *const all = (const struct meeting_args *)args;        \
        body(all->args, all->meeting, x, y, (struct tiles *)arena, thread, barrier);     \
    }                                                                                    \
    BODY(type)
#else
#define BODY(type)                                                                        \
    static inline __attribute__((always_inline)) void body(                               \
        const type a, const struct meeting meeting, const int block_x, const int block_y, \
        struct tiles *const restrict t)
#define KERNEL(name, type)                                                               \
    MEETING_BODY(type)                                                                   \
    const unsigned shoal_sizes[2] = {sizeof(struct tiles), sizeof(struct meeting_args)}; \
    BODY(type);                                                                          \
    void shoal_block(const void *args, int x, int y, void *arena);                       \
    void shoal_block(const void *args, int x, int y, void *arena)                        \
    {                                                                                    \
        const struct meeting_args *const all = (const struct meeting_args *)args;        \
        body(all->args, all->meeting, x, y, (struct tiles *)arena);                      \
    }                                                                                    \
    BODY(type)
#endif

#endif
