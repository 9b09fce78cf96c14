/* Arguments of the kernel that adds up the water, or the tracer in it. */
#ifndef SHOAL_VOLUME_ARGS_H
#define SHOAL_VOLUME_ARGS_H

/* The sum of the depths, each times `times` where that is given, in units of p.units, as two signed numbers
 * modulo 2^64: whole units, and 1 / VOLUME_PARTS of one. LEFT_OUT counts cells with a number that no counter
 * holds. */
enum volume_counters { WHOLE, PARTS, LEFT_OUT, VOLUME_COUNTERS };
#define VOLUME_PARTS 0x1p28

struct volume_args {
    struct span span;
    long pitch; /* of the bed, too */
    const real *eta, *centre;
    const real *times; /* an unknown, laid out like eta; or null */
    counter *sum;      /* [VOLUME_COUNTERS], zeroed */
    ALIGN8 struct physics p;
};

#endif
