/* Arguments of the kernel that takes samples for a picture. Apart from args.h, whose text is part of every
 * kernel's hash. */
#ifndef SHOAL_SAMPLE_ARGS_H
#define SHOAL_SAMPLE_ARGS_H

struct sample_args {
    struct span span; /* samples */
    int nx, ny;       /* cells of the domain */
    long pitch, bed_pitch;
    struct fields q;
    const real *bed;   /* at corners, m */
    real *level, *mid; /* out, a number per sample: level of the water and of the bed, m */
    ALIGN8 struct physics p;
};

#endif
