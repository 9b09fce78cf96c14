/* The error of a wave that spreads from a dam break. */
#ifndef SHOAL_DAM_H
#define SHOAL_DAM_H

#include "verification/run/verify.h"

/* sum |h - ref| / sum |ref - the depth at the start in the domain's north-east corner|: still water
 * outside the wave does not flatter the error. */
extern const struct norm norm_excess_h;

/* In the middle row, from the east: how many cells lie between the places where depth first reaches
 * the front, in the run and in the reference. The front is half of the rise to the reference's crest;
 * on dry ground, where it is no shock, a tenth. */
extern const struct norm norm_front;

#endif
