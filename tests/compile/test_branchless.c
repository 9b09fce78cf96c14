/* The roots and inverses of strict mode on a GPU, single precision, are those of IEEE 754, over its whole range: with
 * estimates as exact as a number allows, here. SHOAL_TEST_FULL=1 tries all numbers. */
#define PRECISION  32
#define BRANCHLESS 1
#include "kernels/real.h"

#include <math.h>
#include <stdlib.h>

#include "tests/support/test.h"

static int same(real a, real b)
{
    return bits_of(a) == bits_of(b) || (isnan(a) && isnan(b));
}

static void check(bits pattern)
{
    const real x = real_of(pattern), square_root = fabsf(x) < LEAST_ROOTED ? 0 : sqrtf(x);
    if (!same(branchless_root(x), square_root) && !isinf(x))
        fail_msg("the root of %a is %a, not %a", (double)x, (double)branchless_root(x),
                 (double)square_root);
    if (fabsf(x) < 0x1p126f || isinf(x) || isnan(x))
        if (!same(branchless_inverse(x), 1.0f / x))
            fail_msg("the inverse of %a is %a, not %a", (double)x, (double)branchless_inverse(x),
                     (double)(1.0f / x));
}

static void numbers_of_all_sizes(void **state)
{
    (void)state;
    const unsigned long step = getenv("SHOAL_TEST_FULL") ? 1 : 1021;
    for (unsigned long pattern = 0; pattern < 1ul << 32; pattern += step)
        check((bits)pattern);
}

static void ends_of_the_range(void **state)
{
    (void)state;
    const bits ends[] = {0x00000000, 0x00000001, 0x007fffff, 0x00800000, 0x0d800000,
                         0x0d7fffff, 0x3f7fffff, 0x3f800000, 0x3fffffff, 0x7e7fffff,
                         0x7f7fffff, 0x7f800000, 0x7fc00000};
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        check(ends[k]);
        check(ends[k] | 0x80000000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_all_sizes),
        cmocka_unit_test(ends_of_the_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
