/* The monotonic clock. */
#ifndef SHOAL_MONOTONIC_TIME_H
#define SHOAL_MONOTONIC_TIME_H

#include <time.h>

/* Seconds since a moment that stays fixed while the machine runs. */
static inline double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
