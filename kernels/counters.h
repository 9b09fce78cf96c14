/* Sums in integers: whole units, and parts that are 1 / VOLUME_PARTS of a unit (volume.h). They are exact,
 * whatever the order of the terms. */
#ifndef SHOAL_COUNTERS_H
#define SHOAL_COUNTERS_H

#include "volume.h"

/* The fraction of x, in parts. */
FN long parts(real x)
{
    return (long)((x - (real)(long)x) * REAL(VOLUME_PARTS));
}

FN void add(counter *sum, counter n)
{
    if (n == 0)
        return;
#ifdef __CUDACC__
    atomicAdd((unsigned long long *)sum, (unsigned long long)n);
#else
    __atomic_fetch_add(sum, n, __ATOMIC_RELAXED);
#endif
}

#endif
