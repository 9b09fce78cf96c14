/* The xorshift64* generator of Vigna 2016, and rounding. */
#include "tests/support/sample.h"

#include <float.h>
#include <math.h>

static double fraction(struct sample *s)
{
    s->state ^= s->state >> 12;
    s->state ^= s->state << 25;
    s->state ^= s->state >> 27;
    return (double)((s->state * 0x2545f4914f6cdd1dul) >> 11) * 0x1p-53;
}

double sample_between(struct sample *s, double lo, double hi)
{
    return lo + (hi - lo) * fraction(s);
}

double sample_of_any_size(struct sample *s, double lo, double hi)
{
    double size = pow(10, sample_between(s, lo, hi));
    return fraction(s) < 0.5 ? -size : size;
}

double rounded_to(enum precision p, double x)
{
    return p == F64 ? x : (double)(float)x;
}

double epsilon_of(enum precision p)
{
    return p == F64 ? DBL_EPSILON : (double)FLT_EPSILON;
}

const char *precision_name(enum precision p)
{
    return p == F64 ? "f64" : "f32";
}
