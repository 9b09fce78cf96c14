/* Water at rest on slopes: how fast gravity makes it is not seen before it moves. */
#ifndef SHOAL_DOWNHILL_H
#define SHOAL_DOWNHILL_H

#include "core/problem/initial_state.h"

/* The longest first time step, s, in which water that stands at the start, or is added to a cell, falls no
 * further than `courant` of a cell's size where gravity g pulls it down its surface; 1e300 where all is
 * level. `steepest` is initial.steepest, or of the cells alone that rain and sources wet initial.steepest_fed: how far the
 * surface falls to a neighbour over the square of the cell's size, 1/m. */
double downhill_longest(double steepest, double g, double courant);

/* Finds both in a block, which holds INITIAL_STATE and INITIAL_FORCE, and INITIAL_FED where rain or sources wet cells. */
struct findings;
void downhill_look(const struct initial *block, struct findings *found);

#endif
