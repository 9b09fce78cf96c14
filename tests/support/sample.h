/* Numbers for tests: the same sequence on every machine, in either precision. */
#ifndef SHOAL_TEST_SAMPLE_H
#define SHOAL_TEST_SAMPLE_H

#include "core/kernel.h" /* enum precision */

struct sample {
    unsigned long state; /* not 0 */
};

/* Evenly distributed in lo..hi. */
double sample_between(struct sample *s, double lo, double hi);

/* Of either sign, the logarithm of its size evenly distributed in 10^lo..10^hi. */
double sample_of_any_size(struct sample *s, double lo, double hi);

/* The nearest number of a precision, and the distance from 1 to the next larger one. */
double rounded_to(enum precision p, double x);
double epsilon_of(enum precision p);

const char *precision_name(enum precision p);

#endif
