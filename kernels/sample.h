/* Arguments of the kernel that takes samples for a picture. Apart from args.h, whose text is part of every
 * kernel's hash. */
#ifndef SHOAL_SAMPLE_ARGS_H
#define SHOAL_SAMPLE_ARGS_H

struct sample_args {
    struct span span;           /* samples */
    int nx, ny;                 /* cells of the domain */
    int i0, j0, own_nx, own_ny; /* those that the fields have: a part's; the other samples stay */
    long pitch, bed_pitch;
    struct fields q;
    const real *centre; /* bed at the cells' centres, m */
    real *eta, *mid; /* out, a number per sample: see struct fields; bed at the cell's centre, m */
    ALIGN8 struct physics p;
};

#endif
