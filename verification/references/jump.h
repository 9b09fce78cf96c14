/* How well a run holds a hydraulic jump that stands across a channel: norms that cases share. */
#ifndef SHOAL_JUMP_H
#define SHOAL_JUMP_H

#include "verification/verify.h"

/* Distance in cells between x and where the depth of the first row rises through `middle`; the
 * number of cells if it never does. */
double jump_offset(const struct snapshot *s, double x, double middle);

/* Largest error of the discharge over the largest discharge, without the cells that lie within four
 * cells of x: those that resolve the jump cannot have the discharge right. */
double jump_spared(const struct snapshot *s, double x);

#endif
