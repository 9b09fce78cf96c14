/* Norms for a hydraulic jump across a channel, shared by cases. */
#ifndef SHOAL_JUMP_H
#define SHOAL_JUMP_H

#include "verification/run/verify.h"

/* Distance in cells between x and where the depth of the first row rises through `middle`; the
 * number of cells if it never does. */
double jump_offset(const struct snapshot *s, double x, double middle);

/* Largest error of the discharge over the largest discharge, without the cells that lie within four
 * cells of x: those that resolve the jump cannot have the discharge right. */
double jump_spared(const struct snapshot *s, double x);

/* Name and meaning of norms made of them: which jump they are about is the case's. */
#define JUMP_OFFSET_NORM \
    "jump off by", "distance in cells from the exact jump to where h passes its middle"
#define JUMP_SPARED_NORM \
    "max q far", "max |q - ref| / max |ref|, without four cells on either side of the jump"

/* The reason for limits around it. */
#define ONE_CELL "the jump is resolved by one cell"
#define JUMPS    "first order at a jump"

#endif
