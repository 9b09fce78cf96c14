/* Random numbers: the same sequence on every machine. */
#ifndef SHOAL_RUN_RANDOM_H
#define SHOAL_RUN_RANDOM_H

#include "kernels/kernel.h" /* enum precision */

struct sample {
    unsigned long state; /* not 0 */
};

/* Evenly distributed in lo..hi. */
double sample_between(struct sample *s, double lo, double hi);

/* The distance from 1 to the next larger number of a precision. */
double precision_epsilon(enum precision p);

#endif
