/* The roots and inverses of strict mode on a GPU, double precision, are those of IEEE 754: with estimates of 20 digits,
 * here. */
#define PRECISION  64
#define BRANCHLESS 1
#include "kernels/real.h"

#include <math.h>
#include <stdlib.h>

#include "tests/support/test.h"

static int same(real a, real b)
{
    return bits_of(a) == bits_of(b) || (isnan(a) && isnan(b));
}

static void check(real x)
{
    const real square_root = fabs(x) < LEAST_ROOTED ? 0 : sqrt(x), size = fabs(x);
    if (!same(branchless_root(x), square_root) && !isinf(x))
        fail_msg("the root of %a is %a, not %a", x, branchless_root(x), square_root);
    if ((size >= 0x1p-1022 && size <= 0x1p1021) || x == 0 || isinf(x) || isnan(x))
        if (!same(branchless_inverse(x), 1 / x))
            fail_msg("the inverse of %a is %a, not %a", x, branchless_inverse(x), 1 / x);
}

static void any_numbers(void **state)
{
    (void)state;
    const long count = getenv("SHOAL_TEST_FULL") ? 1000000000 : 5000000;
    bits pattern = 0x9e3779b97f4a7c15ul;
    for (long k = 0; k < count; k++) { /* a generator of Marsaglia's, "Xorshift RNGs", 2003 */
        pattern ^= pattern << 13;
        pattern ^= pattern >> 7;
        pattern ^= pattern << 17;
        check(real_of(pattern));
        check(real_of((pattern & 0x001ffffffffffffful) | 0x3fe0000000000000ul)); /* 1/2 to 2 */
    }
}

/* Those whose digits are nearly all equal have roots and inverses close to the middle of two numbers. */
static void ends_of_the_range(void **state)
{
    (void)state;
    for (bits exponent = 0; exponent <= 0x7ff; exponent++)
        for (bits digits = 0; digits < 64; digits++) {
            const bits few = exponent << 52 | digits, many = (exponent + 1) << 52;
            check(real_of(few));
            check(real_of(few | 1ul << 63));
            check(real_of(many - digits));
            check(real_of((many - digits) | 1ul << 63));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_numbers),
        cmocka_unit_test(ends_of_the_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
