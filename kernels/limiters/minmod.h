/* The generalised minmod limiter: the least steep of theta times the two one-sided differences and
 * the central one. theta from 1 (most diffusive) to 2 (least). Kurganov and Petrova 2007, eq. 2.11;
 * paper III, eq. 4. */
#include "real.h"

PROPERTIES("generalised minmod", "Kurganov and Tadmor 2000", SYMMETRIC | TVD | SECOND_ORDER)

#define HALF_LIMITED half_minmod

/* The smaller one of `central` and theta times either side's difference; 0 where a and b differ in sign. */
FN real least_steep(real a, real b, real theta, real central)
{
    /* Vectors have minima and maxima. The two forms differ in the sign of zeros. */
#if defined(FAST) && !defined(__CUDACC__)
    const real zero = unfolded_zero(theta);
    const real most = max2(theta * min2(a, b), zero), least = min2(theta * max2(a, b), zero);
    return max2(min2(central, most), least);
#else
    const real steep = theta * (abs1(a) < abs1(b) ? a : b);
    return with_equal_signs(a, b, abs1(steep) < abs1(central) ? steep : central);
#endif
}

FN real minmod(real a, real b, real theta)
{
    return least_steep(a, b, theta, REAL(0.5) * (a + b));
}

FN real half_minmod(real a, real b, real theta)
{
#if defined(__CUDACC__) && defined(FAST) && PRECISION == 32
    /* The share of the central difference that a steep side allows lies between 0 and 1: a GPU's instruction
     * clamps it at no cost, and makes 0 of the NaN that two zero differences give. */
    const real sum = a + b, apart = abs1(a - b) * abs1(inverse(sum));
    real part;
    asm("fma.rn.ftz.sat.f32 %0, %1, %2, %3;" : "=f"(part) : "f"(-theta), "f"(apart), "f"(theta));
    return REAL(0.25) * (sum * part);
#else
    return REAL(0.25) * least_steep(a, b, REAL(2) * theta, a + b);
#endif
}
