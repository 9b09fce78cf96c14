/* Round numbers for the ends of scales. */
#ifndef SHOAL_ROUND_NUMBERS_H
#define SHOAL_ROUND_NUMBERS_H

#include <math.h>
#include <stddef.h>

/* The least of 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten that is >= x > 0 (within a
 * millionth of it). */
static inline double round_up(double x)
{
    static const double steps[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};
    const double unit = pow(10, floor(log10(x)));
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        if (steps[k] * unit >= x * (1 - 1e-6))
            return steps[k] * unit;
    return x;
}

#endif
