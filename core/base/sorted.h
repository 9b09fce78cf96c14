/* Sorting numbers. */
#ifndef SHOAL_SORTED_H
#define SHOAL_SORTED_H

#include <stdlib.h>

static inline int sorted_before(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts n > 0 numbers in ascending order and returns the median: the upper one of two. */
static inline double sorted_median(double *x, size_t n)
{
    qsort(x, n, sizeof *x, sorted_before);
    return x[n / 2];
}

#endif
