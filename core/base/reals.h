/* Numbers of a run's precision in memory: `size` bytes each, float or double. */
#ifndef SHOAL_REALS_H
#define SHOAL_REALS_H

#include <stddef.h>
#include <string.h>

/* Number k. */
static inline double reals_get(const void *from, size_t size, size_t k)
{
    double x;
    float single;
    if (size == sizeof x) {
        memcpy(&x, (const char *)from + k * sizeof x, sizeof x);
        return x;
    }
    memcpy(&single, (const char *)from + k * sizeof single, sizeof single);
    return (double)single;
}

static inline void reals_put(void *to, size_t size, size_t k, double x)
{
    const float single = (float)x;
    if (size == sizeof x)
        memcpy((char *)to + k * sizeof x, &x, sizeof x);
    else
        memcpy((char *)to + k * sizeof single, &single, sizeof single);
}

/* Converts n of them to doubles, in place. */
static inline void reals_widen(double *to, size_t size, size_t n)
{
    for (size_t k = n; k-- > 0 && size < sizeof *to;) /* downwards: read before overwriting */
        to[k] = reals_get(to, size, k);
}

#endif
