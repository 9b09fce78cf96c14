/* How far two arrays are apart: what the tuner judges a kernel's answer by, and the fixed kernel that
 * shows whether a device drifts. No run launches it, so it looks at no clock. */
#include "args.h"

NO_TILES;

/* The size of a difference, its last bit set: zero if and only if the numbers' bits agree, the pattern
 * of a NaN if one is a NaN that the other is not. Without a branch, so that it becomes vector code. */
FN real apart(real x, real y)
{
    const bits differ = bits_of(x) != bits_of(y);
    return real_of((bits_of(abs1(x - y)) | 1) & (0 - differ));
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
        const real want = abs1(a.want[at(a.span.nx, X0 + i, Y0 + j)]);
        TAKE_MAX(size, i, want >= REAL(0) ? want : REAL(0));
    }
    BLOCK_MAX(a.difference[BLOCK_ID], difference);
    BLOCK_MAX(a.size[BLOCK_ID], size);
}
