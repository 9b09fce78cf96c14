/* Random sizes, and rounding. */
#include "tests/support/sample.h"

#include <math.h>

double sample_of_any_size(struct sample *s, double lo, double hi)
{
    double size = pow(10, sample_between(s, lo, hi));
    return sample_between(s, 0, 1) < 0.5 ? -size : size;
}

double rounded_to(enum precision p, double x)
{
    return p == F64 ? x : (double)(float)x;
}

const char *precision_name(enum precision p)
{
    return p == F64 ? "f64" : "f32";
}
