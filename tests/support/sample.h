/* Numbers for tests, in either precision. */
#ifndef SHOAL_TEST_SAMPLE_H
#define SHOAL_TEST_SAMPLE_H

#include "verification/sample.h"

/* Of either sign, the logarithm of its size evenly distributed in 10^lo..10^hi. */
double sample_of_any_size(struct sample *s, double lo, double hi);

/* The nearest number of a precision. */
double rounded_to(enum precision p, double x);

const char *precision_name(enum precision p);

#endif
