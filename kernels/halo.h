/* Arguments of the kernels that carry cells from one part of a domain to the ghost cells of another, and that
 * reduce the wave speeds by which all parts decide. Separate from args.h, whose text is part of every kernel's
 * hash. */
#ifndef SHOAL_HALO_ARGS_H
#define SHOAL_HALO_ARGS_H

#include "rounds.h"

enum { HALO_UNKNOWNS = 4 }; /* as many as a system may have */

/* A rectangle of cells in rows, or a piece of one that continues in another tile, and the place of its numbers
 * in the buffer: n of each unknown, one unknown after the other, `row` from one row to the next. */
struct halo_rect {
    int before; /* cells of the rectangles before it */
    int nx, ny; /* cells of a row; rows */
    int n, row; /* cells of the whole rectangle, and of its rows */
    int i0, j0; /* its south-west cell, of the part's */
    long first, along_x,
        along_y;    /* offsets: of its south-west cell; by a cell to the east, to the north */
    real *buffer;   /* for data that pass through the host; else null, and: */
    word *words[2]; /* of even rounds, of odd ones */
    const real *rise, *floor; /* across a periodic edge, of each cell; else null: see halo.cu */
    int around_x,
        around_y; /* -1, 1: it is across the western (southern), the eastern (northern) periodic edge */
};

/* Rectangles of cells that a part sends, or receives. */
struct halo_rects {
    int count, cells;
    const struct halo_rect *rect;
};

/* Of a state. */
struct exchange {
    struct halo_rects sent, received;
    int unknowns;
    real *unknown[HALO_UNKNOWNS];
    const real *rise; /* as in struct any_boundary_args */
    struct rounds rounds;
    struct clock *clock;
};

struct halo_args {
    struct span span; /* as many threads as share the cells */
    int tasks;        /* of enum tasks */
    struct exchange with;
    ALIGN8 struct physics p;
};

/* Where a part sends its largest wave speed, and finds those of all: of even rounds, of odd ones. */
struct boards_of_speeds {
    int parts;
    word *const *boards[2]; /* this part's place on the board of each */
    const word *board[2];   /* its own board */
    struct rounds rounds;
};

struct largest_args {
    struct span span; /* one block */
    int tasks;
    int blocks; /* whose speeds are reduced */
    const bits *block_speed;
    struct boards_of_speeds on; /* parts: 0 if the host brings the largest of all parts */
    bits *largest;              /* of all parts */
    struct clock *clock;
    ALIGN8 struct physics p;
};

#endif
