/* Water at rest on slopes: how fast gravity makes it is not seen before it moves. */
#ifndef SHOAL_DOWNHILL_H
#define SHOAL_DOWNHILL_H

#include "core/problem/initial_state.h"

/* The longest first time step, s, in which water that stands at the start, or is added to a cell, falls no
 * further than `courant` of a cell's size where gravity g pulls it down its surface; 1e300 where all is
 * level. Needs the state. */
double downhill_longest(const struct initial *in, const struct grid_info *grid, double g,
                        double courant);

/* The same of the cells in `fed` alone. */
double downhill_longest_fed(const struct initial *in, const struct grid_info *grid, double g,
                            double courant);

#endif
