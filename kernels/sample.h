/* Arguments of the kernel that takes samples for a picture. Separate from args.h, whose text is part of every
 * kernel's hash. */
#ifndef SHOAL_SAMPLE_ARGS_H
#define SHOAL_SAMPLE_ARGS_H

struct sample_args {
    struct span span;           /* samples, one row of them */
    const long *cell;           /* of each, the offset of its cell; negative: none, it stays */
    const real *level, *centre; /* eta; bed at the cells' centres, m */
    real *eta, *mid;            /* out, a number per sample: see struct fields; the bed, m */
    ALIGN8 struct physics p;
};

#endif
