/* The rates at which a step has changed the level and the velocities of a cell, in one number: they only
 * bound half a step (predictor.h), so the sign, the exponent and a few digits of each suffice, and a kernel
 * limited by memory moves a third of the bytes. From the top: level, velocity along x, along y; those two
 * have equal shares, so that x and y may be exchanged. Digits are cut off, so that opposite rates stay
 * opposite. f64 has no more digits than f32, so that both precisions bound by the same numbers. */
#ifndef SHOAL_RATES_H
#define SHOAL_RATES_H

#include "real.h"

enum {
    SIGN_AND_EXPONENT = PRECISION == 64 ? 12 : 9,
    LEVEL_BITS = SIGN_AND_EXPONENT + 1,
    VELOCITY_BITS = SIGN_AND_EXPONENT + 2,
    BITS_BELOW = PRECISION - LEVEL_BITS - VELOCITY_BITS /* where the last velocity begins */
};

struct increments {
    real w, u, v; /* of level and velocities */
};

/* The upper `n` bits of a pattern, and the lower ones. */
#define UPPER(n) (~(bits)0 << (PRECISION - (n)))
#define LOWER(n) (~(bits)0 >> (PRECISION - (n)))

FN real packed_rates(struct increments r)
{
    const bits u = bits_of(r.u) >> LEVEL_BITS;
    const bits v = (bits_of(r.v) & UPPER(VELOCITY_BITS)) >> (LEVEL_BITS + VELOCITY_BITS);
    const bits first = (bits_of(r.w) & UPPER(LEVEL_BITS)) | (u & ~UPPER(LEVEL_BITS));
    return real_of((first & ~LOWER(BITS_BELOW)) | v);
}

FN struct increments unpacked_rates(real packed)
{
    const bits all = bits_of(packed);
    struct increments r;
    r.w = real_of(all & UPPER(LEVEL_BITS));
    r.u = real_of(all << LEVEL_BITS & UPPER(VELOCITY_BITS));
    r.v = real_of(all << (LEVEL_BITS + VELOCITY_BITS));
    return r;
}

/* The rates as a wall mirrors them, where it reverses the velocity along x, or along y. */
FN real reversed_rates(real packed, int along_x)
{
    const bits sign = ~LOWER(PRECISION - 1);
    return real_of(bits_of(packed) ^ (sign >> (LEVEL_BITS + (along_x ? 0 : VELOCITY_BITS))));
}

#endif
