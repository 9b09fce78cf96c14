/* Arithmetic that means the same to C11 and CUDA C++, in either precision. */
#ifndef SHOAL_REAL_H
#define SHOAL_REAL_H

#ifndef PRECISION
#error "define PRECISION as 32 or 64 before this header"
#endif

/* `bits` holds the pattern of a `real`. For non-negative values the patterns are ordered like the
 * numbers, and a NaN's pattern is above infinity's: a maximum of patterns is a maximum of speeds
 * that does not depend on the order of the terms and cannot lose a NaN. */
#if PRECISION == 64
typedef double real;
typedef unsigned long bits;
typedef long signed_bits;
#else
typedef float real;
typedef unsigned bits;
typedef int signed_bits;
#endif

/* A literal of the right precision: REAL(0.5). A bare 0.5 in an f32 kernel is a compile error. */
#define REAL(x) ((real)(x))

#ifdef __CUDACC__
#define FN static __device__ __forceinline__
#else
#define FN static inline __attribute__((always_inline, unused))
#endif

/* A plug-in's declaration (title, source, properties): data for the host's registry, empty here. */
#ifndef PROPERTIES
#define PROPERTIES(...)
#endif

/* Ternaries, not fmin and fmax: the C compiler vectorises them without -ffast-math. In strict mode both
 * compilers must also agree about signed zeros; fast mode uses the device's instruction. */
#if defined(__CUDACC__) && defined(FAST) && PRECISION == 32
FN real min2(real a, real b)
{
    return fminf(a, b);
}
FN real max2(real a, real b)
{
    return fmaxf(a, b);
}
#elif defined(__CUDACC__) && PRECISION == 64
/* The ternaries to the bit, which nvcc compiles to twice as many instructions. */
FN real min2(real a, real b)
{
    real y;
    asm("{ .reg .pred p; setp.lt.f64 p, %1, %2; selp.f64 %0, %1, %2, p; }"
        : "=d"(y)
        : "d"(a), "d"(b));
    return y;
}
FN real max2(real a, real b)
{
    real y;
    asm("{ .reg .pred p; setp.gt.f64 p, %1, %2; selp.f64 %0, %1, %2, p; }"
        : "=d"(y)
        : "d"(a), "d"(b));
    return y;
}
#else
FN real min2(real a, real b)
{
    return a < b ? a : b;
}
FN real max2(real a, real b)
{
    return a > b ? a : b;
}
#endif

/* Both guard code that few cells need and that changes nothing in the others. On a GPU a branch skips it where
 * no thread of a warp needs it; on a CPU the loop stays vector code and always runs it. For SELDOM nvcc may
 * compute both ways and select; ANY_OF_WARP votes, which forces a branch: for long code. */
#ifdef __CUDACC__
#define SELDOM(condition) (condition)
#ifndef ANY_OF_WARP
#define ANY_OF_WARP(condition) __any_sync(__activemask(), condition)
#endif
#else
#define SELDOM(condition)      1
#define ANY_OF_WARP(condition) 1
#endif

/* Zero, from any finite number, that a C compiler treats as a variable: gcc compiles min2 and max2 of two
 * variables to one instruction, but compares and selects where one of them is a constant zero. */
FN real unfolded_zero(real finite)
{
#ifdef __CUDACC__
    (void)finite;
    return REAL(0);
#else
    return finite - finite;
#endif
}

/* Zero where x is negative; a NaN stays a NaN, so that a broken solution shows. */
FN real positive(real x)
{
    return x < REAL(0) ? REAL(0) : x;
}

FN real square(real x)
{
    return x * x;
}

FN bits bits_of(real x)
{
    union {
        real r;
        bits b;
    } u;
    u.r = x;
    return u.b;
}

FN real real_of(bits b)
{
    union {
        real r;
        bits b;
    } u;
    u.b = b;
    return u.r;
}

#if PRECISION == 64
/* Sign, exponent and the first digits: a GPU has more units for integers than for f64. It grows by OCTAVE where a positive
 * number doubles. */
#define OCTAVE (1 << 20)
FN int upper_word(real x)
{
    return (int)(bits_of(x) >> 32);
}
#endif

/* a b, which a GPU's compiler fuses with no sum, so that kernels that differ elsewhere have the same bits in fast mode. */
FN real product(real a, real b)
{
#ifdef __CUDACC__
    return PRECISION == 64 ? (real)__dmul_rn(a, b) : (real)__fmul_rn((float)a, (float)b);
#else
    return a * b;
#endif
}

/* a b + c, in strict mode rounded once, by all machines. Not where mirroring or transposing a problem exchanges a b with
 * a product in c, which is rounded by itself. */
FN real mul_add(real a, real b, real c)
{
#if defined(FAST)
    return a * b + c;
#elif defined(__CUDACC__)
    return PRECISION == 64 ? (real)__fma_rn(a, b, c)
                           : (real)__fmaf_rn((float)a, (float)b, (float)c);
#elif PRECISION == 64
    return __builtin_fma(a, b, c);
#else
    return __builtin_fmaf(a, b, c);
#endif
}

FN real abs1(real x)
{
#ifdef __CUDACC__
    return PRECISION == 64 ? (real)fabs(x) : (real)fabsf((float)x);
#elif PRECISION == 64
    return __builtin_fabs(x);
#else
    return __builtin_fabsf(x);
#endif
}

/* x where a and b have the same sign, otherwise 0. A GPU has more units for integers than for f64. */
FN real with_equal_signs(real a, real b, real x)
{
    const bits differ = (bits)((signed_bits)(bits_of(a) ^ bits_of(b)) >> (PRECISION - 1));
    return real_of(bits_of(x) & ~differ);
}

/* `size` >= 0 with the sign of x. */
FN real with_sign_of(real x, real size)
{
#ifdef __CUDACC__
    return PRECISION == 64 ? (real)copysign(size, x) : (real)copysignf((float)size, (float)x);
#elif PRECISION == 64
    return __builtin_copysign(size, x);
#else
    return __builtin_copysignf(size, x);
#endif
}

/* In fast mode on a GPU, f64 square roots and quotients begin with the device's estimate of 20 bits
 * and end a few units in the last place off after one more iteration, without the branches that serve
 * numbers near the ends of the range. */
#if defined(__CUDACC__) && defined(FAST) && PRECISION == 64

FN real inverse_root(real x)
{
    real y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const real e = REAL(1) - x * y * y;
    return y + y * e * (REAL(0.5) + REAL(0.375) * e);
}

FN real root(real x)
{
    return x > REAL(1e-300) ? x * inverse_root(x) : REAL(0) * x;
}

FN real inverse(real x)
{
    real y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const real e = REAL(1) - x * y;
    return y + y * (e + e * e);
}

FN real over_root(real x, real square)
{
    return x * inverse_root(square);
}

#else

/* In strict mode the roots of smaller numbers are 0, so that a GPU computes the others without branches. */
#if PRECISION == 64
#define LEAST_ROOTED REAL(0x1p-900)
#else
#define LEAST_ROOTED REAL(0x1p-100)
#endif

FN real root(real x)
{
#ifndef FAST
    if (abs1(x) < LEAST_ROOTED)
        return REAL(0);
#endif
#if defined(__CUDACC__) && PRECISION == 64
    return sqrt(x);
#elif defined(__CUDACC__)
    return sqrtf(x);
#elif PRECISION == 64
    return __builtin_sqrt(x);
#else
    return __builtin_sqrtf(x);
#endif
}

FN real inverse(real x)
{
    return REAL(1) / x;
}

#ifdef BRANCHLESS
/* In strict mode on a GPU, and where a CPU plays one (EMULATE). */
#include "branchless.h"
#define inverse(x) branchless_inverse(x)
#define root(x)    branchless_root(x)
#endif /* BRANCHLESS */

/* x over the square root of `square`. */
FN real over_root(real x, real square)
{
#if defined(__CUDACC__) && defined(FAST)
    return x * rsqrtf(square);
#else
    return x * inverse(root(square));
#endif
}

#endif

/* x / whole where that lies between 0 and 1, which is the nearer one elsewhere; 0 / 0 is either. */
FN real part_of(real x, real whole)
{
#if defined(__CUDACC__) && defined(FAST) && PRECISION == 32
    real y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(whole));
    asm("mul.ftz.sat.f32 %0, %1, %2;" : "=f"(y) : "f"(x), "f"(y));
    return y;
#else
    return min2(max2(x * inverse(whole), REAL(0)), REAL(1));
#endif
}

#ifdef ON_CPU
/* x / 3, for which there are no vectors of 64 bits: x / 4 + x / 16 + ..., and what that lacks (Warren, Hacker's
 * Delight, 2012, section 10-3). Without a loop, which would keep the loop around it from becoming vector code. */
#if PRECISION == 64
FN bits third_of(bits x)
{
    const bits two = (x >> 2) + (x >> 4), four = two + (two >> 4), eight = four + (four >> 8);
    const bits sixteen = eight + (eight >> 16), third = sixteen + (sixteen >> 32);
    const bits left = x - (third + (third << 1));
    return third + (((left << 3) + (left << 1) + left) >> 5);
}
#else
FN bits third_of(bits x)
{
    return x / 3;
}
#endif
#endif /* ON_CPU */

/* x to the power -1/3, of x > 0; of 0 a large number. From + and * only, so that every compiler gives the
 * same bits (the libraries' cbrt and pow do not) and without a division. The first guess divides the
 * exponent by three and is 3.5 % off; each Newton iteration y += y (1 - x y^3) / 3 squares twice that. */
#if defined(__CUDACC__) && defined(FAST) && PRECISION == 32

FN real inverse_cube_root(real x)
{
    real log, y;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(log) : "f"(max2(x, REAL(1e-36))));
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(REAL(-0.33333333) * log));
    return y;
}

#else

FN real inverse_cube_root(real x)
{
#if PRECISION == 64
    const bits guess = 0x553ef0ff289dd796ul;
    const int rounds = 4;
#else
    const bits guess = 0x54a2fa8cu;
    const int rounds = 3;
#endif
    real y = real_of(guess - bits_of(x) / 3);
#ifdef ON_CPU
    y = real_of(guess - third_of(bits_of(x)));
#endif /* ON_CPU */
#ifdef ON_CPU
#pragma GCC unroll 4
#endif /* ON_CPU */
    for (int k = 0; k < rounds; k++) {
        const real miss = REAL(1) - x * y * y * y;
        y = y + y * (miss * REAL(0.3333333333333333));
    }
    return y;
}

#endif

/* The cube root of x >= 0. */
FN real cube_root(real x)
{
    return x * square(inverse_cube_root(x));
}

#endif
