/* Of all pairs of plug-ins, a diagonal that meets each plug-in at least once. */
#ifndef SHOAL_TEST_DIAGONAL_H
#define SHOAL_TEST_DIAGONAL_H

#include "core/registry/registry.h"

static inline int plugin_count(const struct plugin *const *list)
{
    int n = 0;
    while (list[n])
        n++;
    return n;
}

/* Number a of n, number b of m. */
static inline int on_diagonal(int a, int n, int b, int m)
{
    return m <= n ? a % m == b : b % n == a;
}

#endif
