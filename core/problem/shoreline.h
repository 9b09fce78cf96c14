/* The initial shoreline. */
#ifndef SHOAL_SHORELINE_H
#define SHOAL_SHORELINE_H

#include "core/problem/initial_state.h"

/* Adds the bed's rises between cells of a block, which holds INITIAL_STATE, and those east and
 * north of them: over all faces between a wet and a dry cell, except walls. */
struct findings;
void shoreline_look(const struct initial *block, struct findings *found);

/* The median of all. Zero if there is no such face or no slope. */
double shoreline_median(struct findings *found);

#endif
