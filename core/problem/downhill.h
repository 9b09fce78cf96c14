/* Time step for water at rest on slopes: wave speeds do not show how fast gravity will accelerate
 * it. */
#ifndef SHOAL_DOWNHILL_H
#define SHOAL_DOWNHILL_H

#include "core/problem/initial_state.h"

/* The longest first time step, s, in which water that is at rest, or is added to a cell, falls down
 * its surface by at most `courant` of a cell's size under gravity g; 1e300 if all is level.
 * `steepest` is initial.steepest, or initial.steepest_fed for the cells that rain and sources wet:
 * the fall to a neighbour over the square of the cell's size, 1/m. */
double downhill_longest(double steepest, double g, double courant);

/* Finds both in a row of a block, which holds INITIAL_STATE and INITIAL_FORCE, and INITIAL_FED if
 * rain or sources wet cells: from its cells to those east and north of them (null: there are
 * none). */
struct findings;
struct settled_row;
void downhill_look(const struct initial *block, const struct settled_row *here,
                   const struct settled_row *north, struct findings *found);

#endif
