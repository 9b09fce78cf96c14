/* A kernel that follows: it may be launched before the kernel ahead of it in its stream has ended, and waits for that at
 * its beginning, so that the time of a launch passes while the other one runs. FOLLOW is the first thing that all of its
 * threads do: whatever earlier kernels have written can be read behind it. The kernel behind this one may then start in
 * the same way. (CUDA calls it programmatic dependent launch; devices before compute capability 9.0 lack it.) The host
 * launches so what has the variable below; --define FOLLOWS=0 leaves it out. */
#ifndef SHOAL_FOLLOW_H
#define SHOAL_FOLLOW_H

#ifndef FOLLOWS
#define FOLLOWS 1
#endif

#if defined(__CUDACC__) && FOLLOWS && __CUDA_ARCH__ >= 900
extern "C" {
__device__ unsigned shoal_follows = 1;
}
#define FOLLOW                                             \
    do {                                                   \
        asm volatile("griddepcontrol.wait;" ::: "memory"); \
        asm volatile("griddepcontrol.launch_dependents;"); \
    } while (0)
#else
#define FOLLOW ((void)0)
#endif

#endif
