/* Arguments of the kernel that measures what flows through faces of cells. */
#ifndef SHOAL_SECTIONS_ARGS_H
#define SHOAL_SECTIONS_ARGS_H

/* Counts square metres in whole units and in parts of one, so that sums are exact to 2^-60 m2 in any order. */
#define SECTION_UNITS 0x1p20
#define SECTION_PARTS 0x1p40

enum { SECTION_WHOLE, SECTION_PART, SECTION_SUMS };

/* A face, by the cell beside it that lies in the domain. */
struct section_entry {
    long cell, turned; /* of that cell, counted from cell (0,0), also where x and y are exchanged */
    int axis;          /* across the face: 0 x, 1 y */
    int beyond;        /* the cell lies before the face, not behind it */
    int number;        /* index in the sums */
};

/* SECTION_LOOK, before the fluxes of a state: adds each face's flux to those of the step's earlier substeps.
 * SECTION_BOOK, after the last: books the sum times a share of the step. */
enum section_task { SECTION_LOOK, SECTION_BOOK };

struct sections_args {
    struct span span; /* faces, in one row */
    int task;         /* enum section_task */
    int axes;         /* whose fluxes follow: 1 x, 2 y, 3 both */
    int turned;       /* the state is stored with x and y exchanged; the bed is not */
    long pitch, bed_pitch;
    struct fields q;
    struct ground ground;
    const struct section_entry *face;
    real *flux;    /* along the axis, m2/s */
    counter *sums; /* [SECTION_SUMS] of each number, m2 */
    double share;
    const struct clock *clock;
    ALIGN8 struct physics p;
};

#endif
