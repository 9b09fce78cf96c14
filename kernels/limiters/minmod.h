/* The generalised minmod limiter: the least steep of theta times the two one-sided differences and
 * the central one. theta from 1 (most diffusive) to 2 (least). Kurganov and Petrova 2007, eq. 2.11;
 * paper III, eq. 4. */
#include "real.h"

PROPERTIES("generalised minmod", "Kurganov and Tadmor 2000", SYMMETRIC | TVD | SECOND_ORDER)

#if defined(__CUDACC__) && defined(FAST)
#define HALF_LIMITED half_minmod

#if PRECISION == 32
/* The share of the central difference that a steep side allows lies between 0 and 1: a GPU's instruction
 * clamps it at no cost, and makes 0 of the NaN that two zero differences give. */
FN real half_minmod(real a, real b, real theta)
{
    const real sum = a + b, apart = abs1(a - b) * abs1(inverse(sum));
    real part;
    asm("fma.rn.ftz.sat.f32 %0, %1, %2, %3;" : "=f"(part) : "f"(-theta), "f"(apart), "f"(theta));
    return REAL(0.25) * (sum * part);
}
#else
/* |a + b| - |a - b| is twice the smaller one, and negative where their signs differ: its sign bit tells this
 * to units that are less busy than those of f64. */
FN real half_minmod(real a, real b, real theta)
{
    const real sum = a + b, both = theta * (abs1(sum) - abs1(a - b));
    const long size = (long)bits_of(both);
    const real steep = real_of((bits)(size & ~(size >> 63)));
    return REAL(0.25) * with_sign_of(sum, both < abs1(sum) ? steep : sum);
}
#endif
#endif

FN real minmod(real a, real b, real theta)
{
#if defined(HALF_LIMITED)
    return REAL(2) * half_minmod(a, b, theta);
#else
    const real c = REAL(0.5) * (a + b);
/* GPUs have no instruction for the minimum of two doubles. The two forms differ in the sign of zeros. */
#if PRECISION == 64 && (defined(__CUDACC__) || !defined(FAST))
    const real steep = theta * (abs1(a) < abs1(b) ? a : b);
    return (a > REAL(0)) == (b > REAL(0)) ? (abs1(steep) < abs1(c) ? steep : c) : REAL(0);
#else
    const real zero = unfolded_zero(theta);
    const real most = max2(theta * min2(a, b), zero), least = min2(theta * max2(a, b), zero);
    return max2(min2(c, most), least);
#endif
#endif
}
