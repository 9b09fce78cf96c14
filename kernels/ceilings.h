/* Arguments of the kernels in ceilings.cu. Separate from args.h, whose text is part of every kernel's hash. */
#ifndef SHOAL_CEILING_ARGS_H
#define SHOAL_CEILING_ARGS_H

#define CEILING_REALS 8 /* numbers that ceiling_copy moves per cell */
#define CEILING_OPERATIONS \
    8192 /* operations of ceiling_fma per cell: a multiplication and an addition are two */

struct ceiling_args {
    struct span span; /* one row */
    const real *from;
    real *to;
    ALIGN8 struct physics p;
};

#endif
