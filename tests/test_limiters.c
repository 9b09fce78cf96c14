/* Every registered limiter keeps what it declares, in f32 and f64. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/registry.h"
#include "tests/support/plugin_loader.h"
#include "tests/support/sample.h"
#include "tests/support/trials.h"

enum { SIZES = 17, NASTY = (2 * SIZES) * (2 * SIZES), RANDOM = 6000, EQUAL = 500 };
enum { PAIRS = NASTY + RANDOM + EQUAL, SETTINGS = 3 };

static const double thetas[SETTINGS] = {1, 1.3, 2};
static const double doublings = 16; /* for homogeneity; a power of two */

/* One limiter, precision and theta: what it gave for each pair of differences. */
struct trial {
    struct tried of;
    const double *a, *b;
    double slope[PAIRS], of_swapped[PAIRS], of_negated[PAIRS], of_scaled[PAIRS];
};

static double pairs[PRECISIONS][2][PAIRS];

/* Zero, the smallest denormal and normal number, the largest whose square and sum are still finite
 * or just not, neighbours of 1. */
static void fill_nasty(enum precision p, double *a, double *b)
{
    double eps = precision_epsilon(p);
    double denormal = p == F64 ? 0x1p-1074 : 0x1p-149, normal = p == F64 ? 0x1p-1022 : 0x1p-126;
    const double size[SIZES] = {0,
                                denormal,
                                3 * denormal,
                                normal,
                                1e-30,
                                1e-20,
                                1e-3,
                                1.0 / 3,
                                0.5,
                                1,
                                1 + eps,
                                1 - eps / 2,
                                3,
                                1e4,
                                1e15,
                                1e20,
                                p == F64 ? 1e300 : 1e30};
    for (int k = 0; k < NASTY; k++) {
        int i = k % (2 * SIZES), j = k / (2 * SIZES);
        a[k] = rounded_to(p, i < SIZES ? size[i] : -size[i - SIZES]);
        b[k] = rounded_to(p, j < SIZES ? size[j] : -size[j - SIZES]);
    }
}

static void fill_pairs(enum precision p)
{
    struct sample s = {20240229};
    double *a = pairs[p][0], *b = pairs[p][1];
    fill_nasty(p, a, b);
    for (int k = NASTY; k < PAIRS; k++) {
        double spread = k % 2 ? 1 : 12;
        a[k] = rounded_to(p, sample_of_any_size(&s, -spread, spread));
        b[k] = k < NASTY + RANDOM ? rounded_to(p, sample_of_any_size(&s, -spread, spread)) : a[k];
    }
}

static void run_trial(struct trial *t, const struct plugin_library *lib)
{
    static double a[PAIRS], b[PAIRS];
    limiter_call *limiter = lib->limiter;
    enum precision p = t->of.precision;
    double theta = t->of.setting;
    t->a = pairs[p][0];
    t->b = pairs[p][1];
    limiter(t->a, t->b, theta, t->slope, PAIRS);
    limiter(t->b, t->a, theta, t->of_swapped, PAIRS);
    for (int k = 0; k < PAIRS; k++) {
        a[k] = -t->a[k];
        b[k] = -t->b[k];
    }
    limiter(a, b, theta, t->of_negated, PAIRS);
    for (int k = 0; k < PAIRS; k++) {
        a[k] = rounded_to(p, doublings * t->a[k]);
        b[k] = rounded_to(p, doublings * t->b[k]);
    }
    limiter(a, b, theta, t->of_scaled, PAIRS);
}

static struct trials trials = {
    .kind = "limiter",
    .setting = "theta",
    .plugins = limiters,
    .load = plugin_load_limiter,
    .settings = thetas,
    .setting_count = SETTINGS,
    .size = sizeof(struct trial),
    .fill = fill_pairs,
    .run = run_trial,
};

static int try_all(void **state)
{
    (void)state;
    return trials_run(&trials);
}

static int forget_all(void **state)
{
    (void)state;
    trials_forget(&trials);
    return 0;
}

static double size_of_pair(const struct trial *t, int k)
{
    return fabs(t->a[k]) + fabs(t->b[k]);
}

static void print_pair(const struct trial *t, int k)
{
    print_error("  a = %.17g, b = %.17g: slope %.17g\n"
                "  swapped %.17g, negated %.17g, times %g %.17g\n",
                t->a[k], t->b[k], t->slope[k], t->of_swapped[k], t->of_negated[k], doublings,
                t->of_scaled[k]);
}

static const struct trial_samples differences = {PAIRS, size_of_pair, print_pair};

static int not_finite(const struct trial *t, int k)
{
    return !isfinite(t->slope[k]);
}

static int not_zero_at_extremum(const struct trial *t, int k)
{
    double a = t->a[k], b = t->b[k];
    int extremum = (a <= 0 && b >= 0) || (a >= 0 && b <= 0);
    return extremum && t->slope[k] != 0;
}

static int not_exact_on_line(const struct trial *t, int k)
{
    return t->a[k] == t->b[k] && t->slope[k] != t->a[k];
}

static int not_odd(const struct trial *t, int k)
{
    return t->of_negated[k] != -t->slope[k];
}

static int not_symmetric(const struct trial *t, int k)
{
    return t->of_swapped[k] != t->slope[k];
}

/* Sweby 1984: 0 <= phi <= 2 and 0 <= phi/r <= 2. */
static int outside_sweby(const struct trial *t, int k)
{
    double least = fmin(fabs(t->a[k]), fabs(t->b[k])), slope = t->slope[k];
    return fabs(slope) > 2 * least || (slope > 0 && t->a[k] < 0) || (slope < 0 && t->a[k] > 0);
}

/* Multiplying by a power of two rounds nothing, unless numbers become denormal or infinite. */
static int not_homogeneous(const struct trial *t, int k)
{
    double a = fabs(t->a[k]), b = fabs(t->b[k]), least = t->of.precision == F64 ? 1e-290 : 1e-30;
    double most = t->of.precision == F64 ? 1e290 : 1e30;
    int exact = (a == 0 || (a > least && a < most)) && (b == 0 || (b > least && b < most));
    return exact && t->of_scaled[k] != doublings * t->slope[k];
}

static void every_slope_is_finite(void **state)
{
    (void)state;
    trials_hold(&trials, &differences, 0, not_finite, "the slope must be finite");
}

static void the_slope_is_zero_at_extrema(void **state)
{
    (void)state;
    trials_hold(&trials, &differences, 0, not_zero_at_extremum,
                "the slope must be zero where a and b differ in sign");
}

static void second_order_limiters_are_exact_on_straight_lines(void **state)
{
    (void)state;
    trials_hold(&trials, &differences, SECOND_ORDER, not_exact_on_line,
                "it declares SECOND_ORDER; a = b must give a");
}

static void symmetric_limiters_are_odd_to_the_bit(void **state)
{
    (void)state;
    trials_hold(&trials, &differences, SYMMETRIC, not_odd,
                "it declares SYMMETRIC; (-a, -b) must give the opposite of (a, b)");
}

static void symmetric_limiters_take_their_differences_in_either_order(void **state)
{
    (void)state;
    trials_hold(&trials, &differences, SYMMETRIC, not_symmetric,
                "it declares SYMMETRIC; (b, a) must give the same as (a, b)");
}

static void tvd_limiters_stay_inside_swebys_region(void **state)
{
    (void)state;
    trials_hold(&trials, &differences, TVD, outside_sweby,
                "it declares TVD; the slope must lie between 0 and twice a and b");
}

static void limiters_know_no_unit(void **state)
{
    (void)state;
    trials_hold(&trials, &differences, 0, not_homogeneous,
                "twice the differences must give twice the slope, to the bit");
}

static void limiters_say_what_they_are(void **state)
{
    (void)state;
    trials_cited(&trials);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limiters_say_what_they_are),
        cmocka_unit_test(every_slope_is_finite),
        cmocka_unit_test(the_slope_is_zero_at_extrema),
        cmocka_unit_test(second_order_limiters_are_exact_on_straight_lines),
        cmocka_unit_test(symmetric_limiters_are_odd_to_the_bit),
        cmocka_unit_test(symmetric_limiters_take_their_differences_in_either_order),
        cmocka_unit_test(tvd_limiters_stay_inside_swebys_region),
        cmocka_unit_test(limiters_know_no_unit),
    };
    return cmocka_run_group_tests_name("limiters", tests, try_all, forget_all);
}
