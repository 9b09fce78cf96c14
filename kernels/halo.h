/* Arguments of the kernels that carry cells from one part of a domain to the ghost cells of another, and that reduce
 * what all parts decide by. Apart from args.h, whose text is part of every kernel's hash. */
#ifndef SHOAL_HALO_ARGS_H
#define SHOAL_HALO_ARGS_H

enum { HALO_UNKNOWNS = 4 }; /* as many as a system may have */

/* A rectangle of cells and a place for their numbers on the way: n of each unknown, one unknown behind the other. */
struct halo_rect {
    int before, n, nx; /* cells of the rectangles before it; its own; those of a row */
    long first, along_x,
        along_y;     /* offsets: of its south-west cell; by a cell to the east, to the north */
    real *buffer[2]; /* taken in turns */
    const real *rise, *floor; /* across a periodic edge, of each cell; else null: see halo.cu */
};

struct halo_args {
    struct span span; /* cells of all rectangles */
    int rects, turn;
    const struct halo_rect *rect;
    int unknowns;
    real *unknown[HALO_UNKNOWNS];
    const struct clock *clock;
    ALIGN8 struct physics p;
};

struct largest_args {
    struct span span; /* one block */
    int blocks;       /* whose speeds are reduced */
    const bits *block_speed;
    bits *largest; /* out */
    ALIGN8 struct physics p;
};

#endif
