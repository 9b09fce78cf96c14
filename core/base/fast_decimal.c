/* Where the digits make a whole number below 2^53 and the power of ten is exact, too, one rounding
 * makes the result (Clinger 1990, "How to read floating point numbers accurately"): all but a few
 * numbers that people write. The rest is left to strtod. */
#include "core/base/fast_decimal.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { MOST_DIGITS = 19, MOST_POWER = 22, MOST_EXPONENT = 100000 };

static const double powers[MOST_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The digits seen so far: `whole` times ten to the `power`. */
struct digits {
    uint64_t whole;
    int significant; /* digits of `whole`, without leading zeros; more than fit: it is wrong */
    int power;
};

static const char *read_digits(const char *s, struct digits *d, int step)
{
    for (; is_digit(*s); s++) {
        d->whole = d->whole * 10 + (uint64_t)(*s - '0');
        d->significant += d->significant <= MOST_DIGITS && (d->significant > 0 || *s != '0');
        d->power -= step;
    }
    return s;
}

/* "e" without digits is no exponent. */
static const char *read_exponent(const char *s, int *power)
{
    const int negative = s[1] == '-';
    const char *p = s + 1 + (s[1] == '-' || s[1] == '+');
    int exponent = 0;
    if (!is_digit(*p))
        return s;
    for (; is_digit(*p); p++)
        exponent = exponent < MOST_EXPONENT ? exponent * 10 + (*p - '0') : exponent;
    *power += negative ? -exponent : exponent;
    return p;
}

const char *fast_decimal_read(const char *text, double *x)
{
    const int negative = *text == '-';
    const char *first = text + (*text == '-' || *text == '+');
    struct digits d = {0};
    const char *s = read_digits(first, &d, 0);
    int any = s > first;
    if (*s == '.') {
        first = s + 1;
        s = read_digits(first, &d, 1);
        any |= s > first;
    }
    if (!any)
        return NULL;
    if (*s == 'e' || *s == 'E')
        s = read_exponent(s, &d.power);
    if (d.significant > MOST_DIGITS || d.whole > (uint64_t)1 << 53 || d.power > MOST_POWER ||
        d.power < -MOST_POWER) {
        *x = strtod(text, NULL);
        return s;
    }
    const double whole = (double)d.whole;
    const double size = d.power < 0 ? whole / powers[-d.power] : whole * powers[d.power];
    *x = negative ? -size : size;
    return s;
}
