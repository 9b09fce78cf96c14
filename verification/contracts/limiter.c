/* The contract of every limiter, and of declared properties. */
#include <math.h>
#include <stdio.h>

#include "verification/contracts/contract.h"
#include "verification/contracts/runs.h"
#include "verification/contracts/search.h"
#include "verification/run/random.h"

/* An input: the differences a and b to the cells before and after, and theta. */
enum { A, B, THETA, NUMBERS };

static const double usual[NUMBERS] = {(double)NAN, (double)NAN, 1.3};
static const double thetas[] = {1.3, 1, 2};
static const double doublings = 16; /* for units; a power of two: nothing is rounded */

static double slope_of(const struct subject *s, double a, double b, double theta)
{
    double slope;
    s->lib->limiter(&a, &b, rounded_to(s->precision, theta), &slope, 1);
    return slope;
}

static double slope(const struct subject *s, const double *x)
{
    return slope_of(s, x[A], x[B], x[THETA]);
}

static int tidy(enum precision p, double *x)
{
    int known = 0;
    x[A] = rounded_to(p, x[A]);
    x[B] = rounded_to(p, x[B]);
    for (size_t k = 0; k < sizeof thetas / sizeof *thetas; k++)
        known |= !(fabs(x[THETA] - thetas[k]) > 0);
    return known && isfinite(x[A]) && isfinite(x[B]);
}

enum { PLAIN_SIZES = 8, NASTY_SIZES = 17, RANDOM = 4000 };
enum { MOST = 3 * (4 * PLAIN_SIZES * PLAIN_SIZES + 4 * NASTY_SIZES * NASTY_SIZES + RANDOM) };

static int every_pair(enum precision p, const double *size, int n, double theta,
                      double (*x)[INPUTS])
{
    int count = 0;
    for (int k = 0; k < 4 * n * n; k++) {
        const int i = k % (2 * n), j = k / (2 * n);
        x[count][A] = i % 2 ? -size[i / 2] : size[i / 2];
        x[count][B] = j % 2 ? -size[j / 2] : size[j / 2];
        x[count][THETA] = theta;
        count += tidy(p, x[count]);
    }
    return count;
}

static double of_any_size(struct sample *s, double spread)
{
    const double size = pow(10, sample_between(s, -spread, spread));
    return sample_between(s, 0, 1) < 0.5 ? -size : size;
}

/* Small numbers first; then the smallest denormal and normal number, the largest whose square and sum
 * are still finite or just not, neighbours of 1; then any size; every eighth pair is of equals. */
static int fill_inputs(enum precision p, double (*x)[INPUTS])
{
    const double eps = precision_epsilon(p);
    const double denormal = p == F64 ? 0x1p-1074 : 0x1p-149;
    const double normal = p == F64 ? 0x1p-1022 : 0x1p-126, large = p == F64 ? 1e300 : 1e30;
    const double plain[PLAIN_SIZES] = {0, 1, 2, 3, 4, 10, 0.5, 0.1};
    const double nasty[NASTY_SIZES] = {0,      1e-3,         1.0 / 3,  1,    1 + eps, 1 - eps / 2,
                                       3,      1e4,          1e-20,    1e15, 1e20,    1e-30,
                                       normal, 3 * denormal, denormal, 0.7,  large};
    int n = 0;
    for (size_t k = 0; k < sizeof thetas / sizeof *thetas; k++)
        n += every_pair(p, plain, PLAIN_SIZES, thetas[k], x + n);
    for (size_t k = 0; k < sizeof thetas / sizeof *thetas; k++) {
        struct sample s = {20240229};
        n += every_pair(p, nasty, NASTY_SIZES, thetas[k], x + n);
        for (int m = 0; m < RANDOM; m++) {
            const double spread = m % 2 ? 1 : 12;
            x[n][A] = of_any_size(&s, spread);
            x[n][B] = m % 8 ? of_any_size(&s, spread) : x[n][A];
            x[n][THETA] = thetas[k];
            n += tidy(p, x[n]);
        }
    }
    return n;
}

/* "minmod(1, 2, 1.3)" */
static void put_call(const struct subject *s, const double *x, char *text, size_t n)
{
    snprintf(text, n, "%s(%s, %s, %s)", s->name, exact_text(s->precision, x[A]),
             exact_text(s->precision, x[B]), exact_text(F64, x[THETA]));
}

static void show_value(const struct subject *s, const double *x, char example[SENTENCE])
{
    char call[128];
    put_call(s, x, call, sizeof call);
    snprintf(example, SENTENCE, "%s = %s", call, short_text(slope(s, x)));
}

/* The call, and another one whose result shows that it is wrong. */
static void show_both(const struct subject *s, const double *x, const double *y,
                      char example[SENTENCE])
{
    char one[128], other[128], a[32], b[32];
    put_call(s, x, one, sizeof one);
    put_call(s, y, other, sizeof other);
    differing_texts(slope(s, x), slope(s, y), a, b);
    snprintf(example, SENTENCE, "%s = %s but %s = %s", one, a, other, b);
}

static int not_finite(const struct subject *s, const double *x)
{
    return !isfinite(slope(s, x));
}

static const char *why_not_finite(const struct subject *s, const double *x)
{
    const double a = fabs(x[A]), b = fabs(x[B]), most = fmax(a, b);
    (void)s;
    if (!(most > 0))
        return "a division 0/0 where both differences are zero, as in still water: return REAL(0) "
               "before dividing, or choose the quotient's result by a test of its denominator";
    if (most > 1e6)
        return "products or sums of large differences overflow: write it with the ratio of the "
               "smaller to the larger difference";
    if (most < 1e-6)
        return "products of small differences underflow to 0, and 0/0 follows: write it with the "
               "ratio of the smaller to the larger difference";
    if (!(fmin(a, b) > 0))
        return "a division by the difference that is zero: return REAL(0) there before dividing";
    if (x[A] * x[B] < 0)
        return "a division by a sum that vanishes for opposite differences: return REAL(0) there "
               "before dividing";
    return "a division by zero, or the root of a negative number";
}

static int wrong_sign(const struct subject *s, const double *x)
{
    const double d = slope(s, x);
    return isfinite(d) && ((x[A] > 0 && x[B] > 0 && d < 0) || (x[A] < 0 && x[B] < 0 && d > 0));
}

static int at_extremum(const double *x)
{
    return (x[A] <= 0 && x[B] >= 0) || (x[A] >= 0 && x[B] <= 0);
}

static int nonzero_at_extremum(const struct subject *s, const double *x)
{
    const double d = slope(s, x);
    return isfinite(d) && at_extremum(x) && fabs(d) > 0;
}

static int inexact_on_line(const struct subject *s, const double *x)
{
    const double d = slope(s, x);
    return isfinite(d) && !(fabs(x[A] - x[B]) > 0) && fabs(d - x[A]) > 0 && !wrong_sign(s, x);
}

static const char *why_inexact(const struct subject *s, const double *x)
{
    const double off = fabs(slope(s, x) - x[A]) / fabs(x[A]);
    if (off < 1e-5 && fabs(x[A]) < 1e30)
        return "rounding: (a + 2 b) / 3 is not exact for a = b, a + 2/3 (b - a) is";
    if (off > 0.99 && fabs(x[A]) > 1e6)
        return "large differences overflow in intermediate results: write it with the ratio of the "
               "smaller to "
               "the larger one";
    if (off > 0.99 && fabs(x[A]) < 1e-6)
        return "small differences underflow in intermediate results, or a constant is larger than "
               "they are";
    return "its coefficients do not add up to 1, or the sign of one is wrong";
}

static void show_inexact(const struct subject *s, const double *x, char example[SENTENCE])
{
    char call[128], is[32], must[32];
    put_call(s, x, call, sizeof call);
    differing_texts(slope(s, x), x[A], is, must);
    snprintf(example, SENTENCE, "%s = %s, not %s", call, is, must);
}

/* Sweby 1984: 0 <= phi <= 2 and 0 <= phi/r <= 2. Signs have checks of their own. */
static int outside_sweby(const struct subject *s, const double *x)
{
    const double d = slope(s, x), least = fmin(fabs(x[A]), fabs(x[B]));
    return isfinite(d) && !at_extremum(x) && fabs(d) > 2 * least;
}

static void swapped(const double *x, double *y)
{
    y[A] = x[B];
    y[B] = x[A];
    y[THETA] = x[THETA];
}

static int not_swappable(const struct subject *s, const double *x)
{
    double y[INPUTS];
    swapped(x, y);
    const double d = slope(s, x), e = slope(s, y);
    return isfinite(d) && isfinite(e) && fabs(d - e) > 0;
}

static const char *why_not_swappable(const struct subject *s, const double *x)
{
    double y[INPUTS];
    swapped(x, y);
    const double d = slope(s, x), off = fabs(d - slope(s, y)) / fabs(d);
    return off < 1e-5
               ? "only the rounding differs here: probably a sum or product is grouped to one side"
               : "probably its formula treats the two differently: correct it, or remove SYMMETRIC";
}

static void show_swapped(const struct subject *s, const double *x, char example[SENTENCE])
{
    double y[INPUTS];
    swapped(x, y);
    show_both(s, x, y, example);
}

static void negated(const double *x, double *y)
{
    y[A] = -x[A];
    y[B] = -x[B];
    y[THETA] = x[THETA];
}

static int not_odd(const struct subject *s, const double *x)
{
    double y[INPUTS];
    negated(x, y);
    const double d = slope(s, x), e = slope(s, y);
    return isfinite(d) && isfinite(e) && fabs(d + e) > 0;
}

static void show_negated(const struct subject *s, const double *x, char example[SENTENCE])
{
    double y[INPUTS];
    negated(x, y);
    show_both(s, x, y, example);
}

/* Unless numbers become denormal or infinite. */
static int has_unit(const struct subject *s, const double *x)
{
    const double least = s->precision == F64 ? 1e-290 : 1e-30;
    const double most = s->precision == F64 ? 1e290 : 1e28,
                 y[INPUTS] = {doublings * x[A], doublings * x[B], x[THETA]};
    for (int k = A; k <= B; k++)
        if (fabs(x[k]) > 0 && !(fabs(x[k]) > least && fabs(x[k]) < most))
            return 0;
    const double d = slope(s, x), e = slope(s, y);
    return isfinite(d) && isfinite(e) && fabs(e - doublings * d) > 0;
}

static void show_units(const struct subject *s, const double *x, char example[SENTENCE])
{
    const double y[INPUTS] = {doublings * x[A], doublings * x[B], x[THETA]}, d = slope(s, x);
    char one[128], other[128], a[32], b[32];
    put_call(s, x, one, sizeof one);
    put_call(s, y, other, sizeof other);
    differing_texts(slope(s, y), doublings * d, a, b);
    snprintf(example, SENTENCE, "%s = %s but %s = %s, not %s", one, short_text(d), other, a, b);
}

static const struct inputs inputs = {NUMBERS, MOST, usual, fill_inputs, tidy, show_value};

static const struct question questions[] = {
    {"finite", 0, not_finite, "the slope is finite for differences of every size",
     .wrong = "is not finite: probably ", .why = why_not_finite},
    {"sign", 0, wrong_sign, "the slope has the sign of its differences",
     .wrong = "has the wrong sign where both differences have the same one: probably a stray "
              "minus, or min2 "
              "and max2 exchanged"},
    {"zero at extrema", 0, nonzero_at_extremum, "the slope is zero at extrema",
     .wrong = "is not zero at an extremum, where the differences have opposite signs or one is 0: "
              "probably "
              "the case of opposite signs is missing; the slope must be 0 there"},
    {"exact on straight lines", SECOND_ORDER, inexact_on_line,
     "a straight line keeps its slope, to the bit",
     .wrong = "declares SECOND_ORDER and is not exact on straight lines, where a = b must give a: "
              "probably ",
     .why = why_inexact, .show = show_inexact, .premise = "sign"},
    {"TVD", TVD, outside_sweby, "the slope stays within Sweby's region",
     .wrong = "declares TVD and leaves Sweby's region: the slope must not be steeper than twice "
              "the smaller "
              "difference; probably a bound is missing, or min2 and max2 are exchanged",
     .premise = "sign"},
    {"symmetric", SYMMETRIC, not_swappable,
     "exchanging the two differences changes nothing, to the bit",
     .wrong = "is not symmetric though it declares it: (a, b) and (b, a) must give the same; ",
     .why = why_not_swappable, .show = show_swapped},
    {"odd", SYMMETRIC, not_odd, "opposite differences give the opposite, to the bit",
     .wrong =
         "is not odd though it declares SYMMETRIC: (-a, -b) must give the opposite of (a, b), or "
         "mirrored flows differ; probably the case of negative differences is missing or differs",
     .show = show_negated},
    {"no unit", 0, has_unit, "differences 16 times as large give 16 times the slope",
     .wrong = "depends on units: differences 16 times as large must give 16 times the slope; "
              "probably it "
              "adds a constant, or squares what it must not",
     .show = show_units},
};

/* Which of its arguments the slope depends on: bits 1 << A and so on. */
static int heeds(const struct subject *s)
{
    static const double value[] = {1, 2, 3, 0.5, 4};
    enum { VALUES = sizeof value / sizeof *value };
    int found = 0;
    for (int k = 0; k < VALUES * VALUES; k++) {
        const double a = value[k % VALUES], b = value[k / VALUES], d = slope_of(s, a, b, 1.3);
        for (int m = 0; m < VALUES; m++) {
            found |= fabs(slope_of(s, value[m], b, 1.3) - d) > 0 ? 1 << A : 0;
            found |= fabs(slope_of(s, a, value[m], 1.3) - d) > 0 ? 1 << B : 0;
        }
        found |=
            fabs(slope_of(s, a, b, 1) - d) + fabs(slope_of(s, a, b, 2) - d) > 0 ? 1 << THETA : 0;
    }
    return found;
}

static enum err ask_arguments(const struct plugin *limiter, struct remarks *r)
{
    struct plugin_library lib;
    TRY(plugin_load(&lib, LIMITER_PLUGIN, limiter->name, F64));
    const struct subject s = {limiter->name, F64, &lib};
    const int found = heeds(&s), both = 1 << A | 1 << B;
    char example[SENTENCE];
    const int b = !(found & 1 << B);
    snprintf(example, sizeof example, "%s(%s, 1.3) = %s(%s, 1.3) = %s", s.name, b ? "1, 2" : "2, 1",
             s.name, b ? "1, 3" : "3, 1",
             short_text(b ? slope_of(&s, 1, 2, 1.3) : slope_of(&s, 2, 1, 1.3)));
    if (!found && !(fabs(slope_of(&s, 1, 2, 1.3)) > 0))
        remark(r, NOTED, "arguments", "", "the slope is zero everywhere: a scheme of first order");
    else if ((found & both) != both)
        remark(r, FAILS, "arguments", example,
               "%s ignores its difference %s: probably a variable is named twice where both "
               "differences were meant",
               limiter->name, b ? "b" : "a");
    else
        remark(r, NOTED, "arguments", "", "the slope depends on both differences%s",
               found & 1 << THETA ? ", and on theta" : "; it takes no theta");
    plugin_unload(&lib);
    return ERR_OK;
}

enum err contract_limiter(const struct plugin *limiter, struct remarks *r)
{
    const int before = remarks_failed(r);
    remark_cited(limiter->title, limiter->cite, "PROPERTIES", r);
    TRY(search(limiter, LIMITER_PLUGIN, &inputs, questions,
               (int)(sizeof questions / sizeof *questions), r));
    if (remark_fails(r, "compiles"))
        return ERR_OK;
    TRY(ask_arguments(limiter, r));
    return runs_of_plugin(limiter, LIMITER_PLUGIN, remarks_failed(r) > before, r);
}
