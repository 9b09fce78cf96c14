/* Roots and inverses without branches. nvcc adds one to each, for numbers near the ends of the range, and computes none while it
 * waits for another. These have the same bits, from the device's estimate by the steps of Newton's that nvcc takes: inverses of
 * all normal numbers up to 2^126, in f64 2^1021, of 0 and of infinity; roots of all numbers but infinity. No depth or
 * speed is beyond. A part of real.h. */
#ifndef SHOAL_BRANCHLESS_H
#define SHOAL_BRANCHLESS_H

/* The device's estimates: of all digits but a few in f32; in f64 of 20. A CPU that plays a device cuts the others off. */
FN real estimate(real x)
{
#if PRECISION == 64
    return real_of(bits_of(x) & ~(bits)0xffffffff);
#else
    return x;
#endif
}

FN real estimated_inverse(real x)
{
    real y;
#if defined(__CUDACC__) && PRECISION == 64
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
#elif defined(__CUDACC__)
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
#else
    y = estimate(REAL(1) / x);
#endif
    return y;
}

FN real estimated_inverse_root(real x)
{
    real y;
#if defined(__CUDACC__) && PRECISION == 64
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
#elif defined(__CUDACC__)
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
#elif PRECISION == 64
    y = estimate(REAL(1) / __builtin_sqrt(x));
#else
    y = estimate(REAL(1) / __builtin_sqrtf(x));
#endif
    return y;
}

#if PRECISION == 64

FN unsigned upper_size(real x)
{
    return (unsigned)upper_word(x) & 0x7fffffffu;
}

/* Where all digits of x are 1, the last one of y decides. */
FN real branchless_inverse(real x)
{
    const real estimated = estimated_inverse(x), y = real_of(bits_of(estimated) | 1);
    const real e = mul_add(-x, y, REAL(1)), near = mul_add(y, mul_add(e, e, e), y);
    const real better = mul_add(near, mul_add(-x, near, REAL(1)), near);
    return upper_size(x) - OCTAVE < 0x7fe00000u ? better : estimated;
}

FN real branchless_root(real x)
{
    const real y = estimated_inverse_root(x), e = mul_add(-x, y * y, REAL(1));
    const real near = mul_add(mul_add(e, REAL(0.375), REAL(0.5)), y * e, y);
    const real half = real_of(bits_of(near) - ((bits)OCTAVE << 32)), s = x * near;
    const real better = mul_add(mul_add(-s, s, x), half, s);
    return upper_size(x) < upper_size(LEAST_ROOTED) ? REAL(0) : better;
}

#else

FN real branchless_inverse(real x)
{
    const real scale = abs1(x) < REAL(0x1p-100) ? REAL(0x1p64) : REAL(1);
    const real c = x * scale, y = estimated_inverse(c), miss = mul_add(c, y, REAL(-1));
    const real better = mul_add(y, -miss, y) * scale;
    return miss == miss ? better : y;
}

FN real branchless_root(real x)
{
    const real y = estimated_inverse_root(x), s = x * y;
    const real better = mul_add(mul_add(-s, s, x), REAL(0.5) * y, s);
    return abs1(x) < LEAST_ROOTED ? REAL(0) : better;
}

#endif
#endif
