/* The 16 bits that a value of a stage has: what they mean, and how it is rounded to them. */
#include "tests/support/test.h"

#include <math.h>

#define PRECISION 32
#define STAGE     11
#include "kernels/stage16.h"
#undef STAGE
#undef SHOAL_STAGE16_H
#define STAGE      8
#define shortened  shortened_bf16
#define lengthened lengthened_bf16
#define deviation  deviation_bf16
#include "kernels/stage16.h"
#undef shortened
#undef lengthened
#undef deviation

/* What 16 bits mean by the format's definition. */
static double value(int pattern, int digits)
{
    const int stored = digits - 1, bias = digits == 11 ? 15 : 127;
    const int exponent = (pattern & 0x7fff) >> stored, fraction = pattern & ((1 << stored) - 1);
    const double size = exponent ? ldexp((1 << stored) + fraction, exponent - bias - stored)
                                 : ldexp(fraction, 1 - bias - stored);
    return pattern & 0x8000 ? -size : size;
}

static void check_rounding(int digits, short_bits (*to)(float), float (*from)(short_bits))
{
    const int infinite = digits == 11 ? 0x7c00 : 0x7f80;
    for (int p = 0; p < infinite - 1; p++)
        for (int sign = 0; sign <= 0x8000; sign += 0x8000) {
            const double a = value(p | sign, digits), b = value((p + 1) | sign, digits);
            const float half = (float)(0.5 * (a + b));
            const int even = (p & 1 ? p + 1 : p) | sign;
            const float below = nextafterf(half, (float)a), above = nextafterf(half, (float)b);
            if (memcmp(&(double){(double)from((short_bits)(p | sign))}, &a, sizeof a) != 0)
                fail_msg("%d digits: pattern %x is %g, not %g", digits, p | sign,
                         (double)from((short_bits)(p | sign)), a);
            if (to((float)a) != (p | sign) || to(half) != even || to(below) != (p | sign) ||
                to(above) != ((p + 1) | sign))
                fail_msg("%d digits: %a, %a, %a, %a become %x, %x, %x, %x", digits, a,
                         (double)below, (double)half, (double)above, to((float)a), to(below),
                         to(half), to(above));
        }
    assert_int_equal(to(INFINITY), infinite);
    assert_int_equal(to(-INFINITY), infinite | 0x8000);
    assert_int_equal(to(3.4e38f), infinite);
    assert_true(isinf(from((short_bits)infinite)));
    assert_true(isnan(from(to(NAN))));
    assert_true(isnan(from(to(real_of(0x7fffffffu)))));
}

static short_bits to_f16(float x)
{
    return shortened(x);
}
static float from_f16(short_bits s)
{
    return lengthened(s);
}
static short_bits to_bf16(float x)
{
    return shortened_bf16(x);
}
static float from_bf16(short_bits s)
{
    return lengthened_bf16(s);
}

static void every_pattern_comes_back_and_what_lies_between_goes_to_the_nearest(void **state)
{
    (void)state;
    check_rounding(11, to_f16, from_f16);
    check_rounding(8, to_bf16, from_bf16);
}

static void the_level_of_a_dry_cell_is_never_stored_above_its_bed(void **state)
{
    (void)state;
    for (int k = -4000; k < 4000; k++) {
        const float bed = 0.37f * (float)k + 0.001f;
        const float d = deviation(bed, bed, 1), b = deviation_bf16(bed, bed, 1);
        assert_true(lengthened(shortened(d)) <= bed - 1);
        assert_true(lengthened_bf16(shortened_bf16(b)) <= bed - 1);
        assert_true(fabsf(lengthened(shortened(d)) - (bed - 1)) <= 0x1p-10f * fabsf(bed - 1));
        assert_true(fabsf(lengthened_bf16(shortened_bf16(b)) - (bed - 1)) <=
                    0x1p-7f * fabsf(bed - 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pattern_comes_back_and_what_lies_between_goes_to_the_nearest),
        cmocka_unit_test(the_level_of_a_dry_cell_is_never_stored_above_its_bed),
    };
    return cmocka_run_group_tests_name("stage16_formats", tests, NULL, NULL);
}
