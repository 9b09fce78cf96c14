/* Reproducible pseudo-random numbers. */
#ifndef SHOAL_BASE_RANDOM_H
#define SHOAL_BASE_RANDOM_H

/* The next number of Marsaglia's sequence (Xorshift RNGs, 2003); *x must not be 0. */
static inline unsigned xorshift(unsigned *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 17;
    *x ^= *x << 5;
    return *x;
}

#endif
