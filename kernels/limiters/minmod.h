/* The generalised minmod limiter: the least steep of theta times the two one-sided differences and
 * the central one. theta from 1 (most diffusive) to 2 (least). Kurganov and Petrova 2007, eq. 2.11;
 * paper III, eq. 4. */
#include "real.h"

PROPERTIES("generalised minmod", "Kurganov and Tadmor 2000", SYMMETRIC | TVD | SECOND_ORDER)

#if defined(__CUDACC__) && defined(FAST) && PRECISION == 32
#define HALF_LIMITED half_minmod

/* Of the central difference the part that a steep side leaves of it is between 0 and 1: an instruction
 * of a GPU saturates for nothing, and makes 0 of the NaN that two differences of zero are. */
FN real half_minmod(real a, real b, real theta)
{
    const real sum = a + b, apart = abs1(a - b) * abs1(inverse(sum));
    real part;
    asm("fma.rn.ftz.sat.f32 %0, %1, %2, %3;" : "=f"(part) : "f"(-theta), "f"(apart), "f"(theta));
    return REAL(0.25) * (sum * part);
}
#endif

FN real minmod(real a, real b, real theta)
{
#if defined(HALF_LIMITED)
    return REAL(2) * half_minmod(a, b, theta);
#elif defined(__CUDACC__) && defined(FAST)
    const real sum = a + b, both = theta * (abs1(sum) - abs1(a - b));
    return REAL(0.5) * with_sign_of(sum, max2(min2(both, abs1(sum)), REAL(0)));
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
