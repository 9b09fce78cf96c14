/* The block of a launch that comes last does what needs the work of all others, instead of one more launch. */
#ifndef SHOAL_LAST_BLOCK_H
#define SHOAL_LAST_BLOCK_H

/* Whether this block is the last of `blocks` to come here; it then sees what the others have stored before. For one thread
 * of each block, after SYNC. `come` is 0 between launches. */
FN int is_last_block(int *come, int blocks)
{
#ifdef __CUDACC__
    __threadfence();
    const int last = atomicAdd(come, 1) == blocks - 1;
    __threadfence();
#else
    const int last = __atomic_fetch_add(come, 1, __ATOMIC_ACQ_REL) == blocks - 1;
#endif
    if (last)
        *come = 0;
    return last;
}

#endif
