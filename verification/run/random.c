/* The xorshift64* generator of Vigna 2016. */
#include "verification/run/random.h"

#include <float.h>

double sample_between(struct sample *s, double lo, double hi)
{
    s->state ^= s->state >> 12;
    s->state ^= s->state << 25;
    s->state ^= s->state >> 27;
    return lo + (hi - lo) * ((double)((s->state * 0x2545f4914f6cdd1dul) >> 11) * 0x1p-53);
}

double precision_epsilon(enum precision p)
{
    return p == F64 ? DBL_EPSILON : (double)FLT_EPSILON;
}
