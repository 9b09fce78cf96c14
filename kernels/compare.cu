/* Measures how far two arrays differ: the tuner uses it to check a kernel's result, and as the fixed kernel
 * that shows whether a device drifts. No run launches it, so it ignores the clock. */
#include "args.h"

NO_TILES;

/* The size of a difference with its last bit set: zero if and only if the bits of the numbers agree, a NaN's
 * pattern if they differ and one is a NaN. Without a branch, so that it becomes vector code. */
FN real apart(real x, real y)
{
    const bits differ = bits_of(x) != bits_of(y);
    return real_of((bits_of(abs1(x - y)) | 1) & (0 - differ));
}

#if PRECISION == 64
#define INFINITE 0x7ff0000000000000ul
#else
#define INFINITE 0x7f800000u
#endif

/* The size of a number, 0 for a NaN. Tests the bits: a comparison of floats here, compiled by NVRTC 13.0, let
 * NaNs pass on an H200. */
FN real size_of(real x)
{
    const bits size = bits_of(abs1(x));
    return real_of(size <= INFINITE ? size : 0);
}

KERNEL(compare, struct compare_args)
{
    (void)t;
    MAX_LANES(difference);
    MAX_LANES(size);
    FOR_TILE(i, j, 0, 0) {
        const long k = at(a.span.nx, X0 + i, Y0 + j);
        TAKE_MAX(difference, i, apart(a.got[k], a.want[k]));
    }
    FOR_TILE(i, j, 0, 0) {
        TAKE_MAX(size, i, size_of(a.want[at(a.span.nx, X0 + i, Y0 + j)]));
    }
    BLOCK_MAX(a.difference[BLOCK_ID], difference);
    BLOCK_MAX(a.size[BLOCK_ID], size);
}
